/** What is wrong with one member of the configuration file. */
export interface Problem {
  /** Leads to the member from the top of the file, such as ["email", "accounts", 1, "id"]. */
  readonly path: readonly (string | number)[]
  /** Another member that is at fault as much: the one to correct where the file does not have the first. */
  readonly otherPath?: Problem['path']
  /** One sentence without a full stop that begins with the member and says what is allowed; never a secret. */
  readonly message: string
}

/** A configuration says what cannot be. The message names each member at fault. */
export class ConfigurationProblems extends Error {
  override readonly name = 'ConfigurationProblems'
  readonly problems: readonly Problem[]

  /** @param service what the configuration is of */
  constructor(service: string, problems: readonly Problem[]) {
    super(
      [
        `The configuration of ${service} is not valid:`,
        ...problems.map(({ message }) => `  ${message}`),
      ].join('\n'),
    )
    this.problems = problems
  }
}

/**
 * Says what is wrong with a member.
 *
 * @param says what follows its name, such as "repeats an id"
 */
export function problemAt(path: Problem['path'], says: string): Problem {
  return { path, message: `${path.join('.')} ${says}` }
}

/**
 * Ends the start of a service whose configuration says what its schema could not find.
 *
 * @throws ConfigurationProblems when there are any
 */
export function refuseProblems(service: string, problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ConfigurationProblems(service, problems)
}

/** What of a service's part of the configuration is applied at the start, and again while it runs when the file has changed. */
export interface Provisioning<Configuration> {
  /** What cannot be applied to what the store holds now, beside what the configuration by itself is refused for. Changes nothing. */
  problems(configuration: Configuration): Promise<readonly Problem[]>
  /** Adds what it names, or brings it to what it says; deletes nothing. May be repeated. */
  apply(configuration: Configuration): Promise<void>
  /** Files whose contents are applied, by the member that names them: a change of one counts as a change of the member. */
  readonly files?: (configuration: Configuration) => Readonly<Record<string, readonly string[]>>
}
