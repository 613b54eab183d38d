/**
 * How long a text with certificates or a key may be, in characters. A chain of twenty certificates with their RSA
 * keys has half of this.
 */
export const certificateTextLengthMax = 64_000
