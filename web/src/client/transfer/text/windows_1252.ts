/** Decoders of the Encoding Standard, where the platform has windows-1252 as it should be and where it does not. */

/** Of the bytes from 0x80 to 0x9F. */
const CHARACTERS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Node gives control characters in the place of these. */
class Windows1252Decoder extends TextDecoder {
  override decode(...input: Parameters<TextDecoder['decode']>): string {
    return super
      .decode(...input)
      .replace(/[\u0080-\u009f]/g, character => CHARACTERS[character.charCodeAt(0) - 0x80] ?? '');
  }
}

/** A decoder that refuses what is no text. @throws RangeError for an encoding that is not known */
export function fatalDecoder(encoding: string): TextDecoder {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return decoder.encoding === 'windows-1252' ? new Windows1252Decoder(encoding, { fatal: true }) : decoder;
}
