/**
 * Settings of V8 for workers: what a request makes is dead when it is answered, and lies in the young generation until that is collected.
 *
 * - V8 would let it grow to 115 MB.
 * - Where many objects of one place in the code last, as they do while rules are loaded, V8 makes all later ones of that place in the old
 *   generation. There they stay until that is collected as a whole, and with them everything that they refer to, such as a page.
 */
const flags = ['--max-semi-space-size=16', '--no-allocation-site-pretenuring'] as const

/**
 * What a worker's Node is given besides what its primary process was given.
 *
 * @param given words of the command line and of `NODE_OPTIONS`: what these set stays as it is
 */
export function workerFlags(given: readonly string[]): string[] {
  const givenNames = new Set(given.map(nameOf))
  return flags.filter((flag) => !givenNames.has(nameOf(flag)))
}

/** `max-semi-space-size` of `--max_semi_space_size=16`. */
function nameOf(word: string): string {
  return word
    .replace(/=.*$/s, '')
    .replaceAll('_', '-')
    .replace(/^--(?:no-)?/, '')
}
