/**
 * How often a literal is to be expected in a value, roughly: the product of its bytes' shares. Letters of ordinary text are
 * frequent, marks that code needs are not. Only the order matters, to choose which of several required literals to look for.
 *
 * @param literal case-folded
 */
export function expectedShare(literal: string): number {
  let share = 1
  for (let at = 0; at < literal.length; at++) share *= byteShares[literal.charCodeAt(at)] ?? rare
  return share
}

const rare = 0.0005

/** The letters of English by frequency, ten groups from the most frequent. */
const letterGroups = ['e', 'ta', 'oin', 'shr', 'dlu', 'cmf', 'wygp', 'bv', 'k', 'xqjz']

const byteShares: readonly number[] = Array.from({ length: 256 }, (_, byte) =>
  shareOf(String.fromCharCode(byte)),
)

function shareOf(character: string): number {
  const group = letterGroups.findIndex((letters) => letters.includes(character))
  if (group >= 0) return 0.09 * 0.75 ** group
  if (/[0-9]/.test(character)) return 0.03
  if (character === ' ') return 0.08
  if (/[-/.,_=:;&+]/.test(character)) return 0.02
  if (/[!-~\n\r\t]/.test(character)) return 0.005
  return rare
}
