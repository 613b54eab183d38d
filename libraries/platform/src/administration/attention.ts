/** From the gravest on: data or protection is lost or may be; something does not do all of its work; somebody should know. */
export const severities = ['critical', 'warning', 'info'] as const

/** How soon somebody should act. */
export type Severity = (typeof severities)[number]

/** A condition that somebody should do something about. It lasts for as long as the service tells of it. */
export interface Attention {
  /** The sort of condition, in kebab case: `agent-gone`. */
  readonly condition: string
  /** What it is about, such as "computer main/0001"; empty when it is about the whole service. Condition and subject tell it from others. */
  readonly subject: string
  readonly severity: Severity
  /** What is wrong and why: sentences without secrets. It may change while the condition lasts. */
  readonly message: string
  /** Whether this server alone can tell, since it is about the server or about what was told to it; all of them when left out. */
  readonly isOfServer?: boolean
  /** What to do, as a command or a call. */
  readonly remedy: string
}
