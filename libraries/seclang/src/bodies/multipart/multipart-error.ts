/** Why a multipart body cannot be taken apart any further. */
export class MultipartError extends Error {
  override readonly name = 'MultipartError'
}
