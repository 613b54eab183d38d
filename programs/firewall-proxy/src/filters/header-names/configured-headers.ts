import {
  type ExtendedMatch,
  parseExtendedMatch,
  type SnapshotPolicy,
  type SnapshotService,
} from '@palisade/proxy-protocol'

/** Members of snapshots that hold an extended match. */
const conditionMembers: ReadonlySet<string> = new Set(['extendedMatch', 'condition'])

/**
 * The names, in lower case, of the request headers by which a service and its policies decide something, or which they change: those of
 * header rules, of conditions, of the client's address, of what cookies are bound to, and of rewriting.
 */
export function configuredHeaders(
  service: SnapshotService,
  policies: readonly (SnapshotPolicy | undefined)[],
): ReadonlySet<string> {
  const { checks, cookieSecurity, rewriting } = service
  const names = [
    ...(checks?.headerAcls ?? []).map(({ header }) => header).filter((name) => name !== '*'),
    ...(checks?.clientAddressHeader === undefined ? [] : [checks.clientAddressHeader]),
    ...(cookieSecurity?.bindsToHeaders ?? []),
    ...(rewriting?.requests ?? []).flatMap((rule) => ('header' in rule ? rule.header : [])),
    ...[...conditionsIn([service, policies])].flatMap(headersOfCondition),
  ]
  return new Set(names.map((name) => name.toLowerCase()))
}

/** Wherever a rule is about requests of some kind, whatever rule that is. */
function conditionsIn(value: unknown, names = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return names
  for (const [member, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && conditionMembers.has(member)) names.add(inner)
    else conditionsIn(inner, names)
  }
  return names
}

function headersOfCondition(text: string): string[] {
  const parsed = parseExtendedMatch(text)
  return 'match' in parsed ? headersOf(parsed.match) : []
}

function headersOf(match: ExtendedMatch): string[] {
  if (match.kind === 'element') return match.element === 'header' ? [match.name] : []
  return match.kind === 'always' ? [] : match.parts.flatMap(headersOf)
}
