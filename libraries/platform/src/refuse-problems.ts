/**
 * Ends the start of a service whose configuration says what its schema could not find.
 *
 * @param service what the configuration is of
 * @param problems each with the whole name of its member, such as "email.accounts.1 repeats an id"; never a secret
 * @throws Error naming all of them when there are any
 */
export function refuseProblems(service: string, problems: readonly string[]): void {
  if (problems.length === 0) return
  const lines = problems.map((problem) => `  ${problem}`)
  throw new Error(`The configuration of ${service} is not valid:\n${lines.join('\n')}`)
}
