/** Why a pattern cannot be read or converted, as the end of a sentence. Becomes a PatternNotConvertible at the door. */
export class SyntaxFailure extends Error {
  override readonly name = 'SyntaxFailure'
}
