/** Says of tokens whether they are good enough. */
export interface TokenValidator {
  /**
   * Why a token is not good enough: a part of a sentence that says nothing of what is in it; undefined where it is.
   *
   * @param nowMs in milliseconds since 1970
   */
  problemOf(token: string, nowMs: number): string | undefined | Promise<string | undefined>
}
