/** Why the configuration was not read or changed, without a word about HTTP. */
export type Failure =
  | { readonly code: 'not-found'; readonly what: string }
  | { readonly code: 'not-acceptable'; readonly problems: readonly string[] }
  | {
      readonly code: 'in-use'
      readonly what: string
      readonly users: readonly string[]
      readonly unnamedCount: number
    }
  | { readonly code: 'factory-object'; readonly what: string }
  | { readonly code: 'changed-meanwhile'; readonly what: string }
  | { readonly code: 'has-to-stay'; readonly reason: string }
  | { readonly code: 'duplicate-certificate'; readonly member: string; readonly what: string }

/** Thrown where a request turns out to fail; answered at the edge. */
export class ConfigurationRefused extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(messageOf(failure))
    this.name = 'ConfigurationRefused'
    this.failure = failure
  }
}

/** What was given, and has this one fault. */
export function notAcceptable(problem: string): ConfigurationRefused {
  return new ConfigurationRefused({ code: 'not-acceptable', problems: [problem] })
}

/** How many faults of a body are told, and how many users of an object are named, before the rest is counted. */
const problemsToldMax = 100
const usersNamedMax = 5

function messageOf(failure: Failure): string {
  switch (failure.code) {
    case 'not-found':
      return `There is no ${failure.what}.`
    case 'not-acceptable':
      return toldProblems(failure.problems)
    case 'in-use': {
      const firstUsers = failure.users.slice(0, usersNamedMax)
      const others = failure.users.length - firstUsers.length + failure.unnamedCount
      const otherUsers =
        others === 0
          ? []
          : [firstUsers.length === 0 ? `${others} objects that your role does not reach` : `${others} others`]
      return `The ${failure.what} is in use by ${[firstUsers.join(', '), ...otherUsers].filter(Boolean).join(' and ')}. Change those first.`
    }
    case 'factory-object':
      return `The ${failure.what} belongs to the factory configuration: it cannot be renamed or deleted.`
    case 'changed-meanwhile':
      return `The ${failure.what} is not the one that If-Match expects: read it again, then change it.`
    case 'has-to-stay':
      return failure.reason
    case 'duplicate-certificate':
      return `Duplicate certificate name is not allowed. The member ${failure.member}: duplicate value not allowed, there is already a ${failure.what}.`
  }
}

function toldProblems(problems: readonly string[]): string {
  const others = problems.length - problemsToldMax
  if (others <= 0) return problems.join(' ')
  return [...problems.slice(0, problemsToldMax), `And ${others} more.`].join(' ')
}
