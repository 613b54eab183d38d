/** A picture of a screen is a PNG of at most so many bytes; machines draw 1280 by 800 points until a driver is there. */
export const screenshotSizeMaxBytes = 4 * 1024 * 1024

/** RFC 2083, section 3.1. */
const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Whether these bytes begin as a PNG does and are not more than are taken. */
export function isScreenshot(bytes: Buffer): boolean {
  const isPng = bytes.subarray(0, pngSignature.length).equals(pngSignature)
  return isPng && bytes.length > pngSignature.length && bytes.length <= screenshotSizeMaxBytes
}
