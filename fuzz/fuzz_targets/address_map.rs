#![no_main]

varve_fuzz::target!(AddressMap);
