/** A place in the text of a rule set. */
export interface Position {
  /** As it was given to the loader, or as `Include` found it. */
  readonly file: string
  /** The line in which the directive begins, counted from 1. */
  /** From 1 on; 0 where the file as a whole is at fault. */
  readonly line: number
}

/** Why a rule set cannot be loaded. Nothing of a rule set with a failure is ever used. */
export class RuleSetFailure extends Error {
  override readonly name = 'RuleSetFailure'
  readonly file: string
  readonly line: number

  /** @param problem what is wrong, without the place: the message puts it in front */
  constructor(at: Position, problem: string, options?: ErrorOptions) {
    super(`${at.file}${at.line === 0 ? '' : `:${at.line}`}: ${problem}`, options)
    this.file = at.file
    this.line = at.line
  }
}
