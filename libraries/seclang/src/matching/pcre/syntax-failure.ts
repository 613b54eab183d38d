/** Why a pattern cannot be read or converted, as the end of a sentence. `pattern.ts` throws it as a `PatternNotConvertible`. */
export class SyntaxFailure extends Error {
  override readonly name = 'SyntaxFailure'
}
