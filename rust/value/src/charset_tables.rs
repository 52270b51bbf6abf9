//! The upper halves of the sets of single bytes, as native Dolt has them. U+FFFD marks bytes without a character.

/// ARMSCII-8 Armenian.
pub const ARMSCII8: &str = "\
    \u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
    \u{a0}❁§։\u{fffd}\u{fffd}»«—\u{fffd}՝\u{fffd}\u{fffd}՟…՜՛՞ԱաԲբԳգԴդԵեԶզԷէ\
    ԸըԹթԺժԻիԼլԽխԾծԿկՀհՁձՂղՃճՄմՅյՆնՇշ\
    ՈոՉչՊպՋջՌռՍսՎվՏտՐրՑցՒւՓփՔքՕօՖֆ’\u{fffd}";

/// Windows Arabic.
pub const CP1256: &str = "\
    €پ‚ƒ„…†‡ˆ‰\u{fffd}‹Œچژ\u{fffd}گ‘’“”•–—\u{fffd}™\u{fffd}›œ\u{200c}\u{200d}\u{fffd}\
    \u{a0}،¢£¤¥¦§¨©\u{fffd}«¬\u{ad}®¯°±²³´µ¶·¸¹؛»¼½¾؟\
    \u{fffd}ءآأؤإئابةتثجحخدذرزسشصض×طظعغـفقك\
    àلâمنهوçèéêëىيîïًٌٍَôُِ÷ّùْûü\u{200e}\u{200f}\u{fffd}";

/// Windows Baltic.
pub const CP1257: &str = "\
    €\u{fffd}‚\u{fffd}„…†‡\u{fffd}‰\u{fffd}‹\u{fffd}¨ˇ¸\u{fffd}‘’“”•–—\u{fffd}™\u{fffd}›\u{fffd}¯˛\u{fffd}\
    \u{a0}\u{fffd}¢£¤\u{fffd}¦§Ø©Ŗ«¬\u{ad}®Æ°±²³´µ¶·ø¹ŗ»¼½¾æ\
    ĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻŠŃŅÓŌÕÖ×ŲŁŚŪÜŻŽß\
    ąįāćäåęēčéźėģķīļšńņóōõö÷ųłśūüżž˙";

/// DEC West European.
pub const DEC8: &str = "\
    \u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
    \u{a0}¡¢£\u{fffd}¥\u{fffd}§¤©ª«\u{fffd}\u{fffd}\u{fffd}\u{fffd}°±²³\u{fffd}µ¶·\u{fffd}¹º»¼½\u{fffd}¿\
    ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ\u{fffd}ÑÒÓÔÕÖŒØÙÚÛÜŸ\u{fffd}ß\
    àáâãäåæçèéêëìíîï\u{fffd}ñòóôõöœøùúûüÿ\u{fffd}\u{fffd}";

/// GEOSTD8 Georgian.
pub const GEOSTD8: &str = "\
    €\u{fffd}‚\u{fffd}„…†‡\u{fffd}‰\u{fffd}‹\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}‘’“”•–—\u{fffd}\u{fffd}\u{fffd}›\u{fffd}\u{fffd}\u{fffd}\u{fffd}\
    \u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿\
    აბგდევზჱთიკლმნჲოპჟრსტჳუფქღყშჩცძწ\
    ჭხჴჯჰჵ\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}№\u{fffd}\u{fffd}";

/// ISO 8859-13 Baltic.
pub const LATIN7: &str = "\
    \u{80}\u{81}\u{82}\u{83}\u{84}\u{85}\u{86}\u{87}\u{88}\u{89}\u{8a}\u{8b}\u{8c}\u{8d}\u{8e}\u{8f}\u{90}\u{91}\u{92}\u{93}\u{94}\u{95}\u{96}\u{97}\u{98}\u{99}\u{9a}\u{9b}\u{9c}\u{9d}\u{9e}\u{9f}\
    \u{a0}”¢£¤„¦§Ø©Ŗ«¬\u{ad}®Æ°±²³“µ¶·ø¹ŗ»¼½¾æ\
    ĄĮĀĆÄÅĘĒČÉŹĖĢĶĪĻŠŃŅÓŌÕÖ×ŲŁŚŪÜŻŽß\
    ąįāćäåęēčéźėģķīļšńņóōõö÷ųłśūüżž’";

/// 7bit Swedish: where it is not ASCII.
pub const SWE7: [(u8, char); 10] = [
    (b'@', 'É'),
    (b'[', 'Ä'),
    (b'\\', 'Ö'),
    (b']', 'Å'),
    (b'^', 'Ü'),
    (b'`', 'é'),
    (b'{', 'ä'),
    (b'|', 'ö'),
    (b'}', 'å'),
    (b'~', 'ü'),
];
