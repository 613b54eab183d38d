import type { SnapshotJsonProfile, SnapshotService } from '@palisade/proxy-protocol'
import { extractJsonFiles, type RuleExclusions, type RuleSet } from '@palisade/seclang'
import { fittingRules, type PlaceTest, placeTest } from '../../conditions/place-test.ts'
import { hasBody } from '../../exchange/client-message.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { isPlain, normalPaths } from '../../paths/normal-path.ts'
import { allExclusions } from '../../policy/all-exclusions.ts'
import { handleViolation } from '../../policy/handle-violation.ts'
import type { Filter, FilterDependencies, FilterDescriptor } from '../filter.ts'
import { contentTypeOf } from '../request-protection/request-parts.ts'
import { JsonChecks } from './json-checks.ts'

/** How much of a body is looked at where no rules say how much. */
const bodyLimitBytes = 128 * 1024

/** As many as rules look at. */
const filesMax = 100

/** Where the values and names of a document are for rules. */
const variables = ['ARGS', 'ARGS_POST', 'ARGS_NAMES', 'ARGS_POST_NAMES']

interface Profile {
  readonly fits: PlaceTest
  readonly methods: ReadonlySet<string>
  readonly isJson: (contentType: string) => boolean
  readonly checks: JsonChecks
  readonly profile: SnapshotJsonProfile
  /** What rules leave out, where the profile says so. */
  readonly leavesOut: RuleExclusions | undefined
}

/** Checks bodies in JSON against the profile for their URL: how large and deep they are, and what values may be. */
export const jsonProfiles: FilterDescriptor = {
  name: 'json-profiles',
  stage: 'plain-request',
  isShared: false,
  make: jsonProfilesFilter,
}

function jsonProfilesFilter({ checks }: SnapshotService, { rules }: FilterDependencies): Filter | undefined {
  if (checks?.jsonProfiles === undefined) return undefined
  const profiles = checks.jsonProfiles.map((profile) => prepared(profile, checks.ignoresCase, rules))
  const pending = new WeakMap<Exchange, readonly Profile[]>()
  return {
    onRequest: (exchange) => {
      if (exchange.mode === 'off' || !hasBody(exchange.request)) return undefined
      const fitting = profilesFor(exchange, profiles)
      if (fitting.length === 0) return undefined
      pending.set(exchange, fitting)
      if (isPlain(exchange.target)) {
        exchange.exceptions = allExclusions(exchange.exceptions, fitting[0]?.leavesOut)
      }
      return undefined
    },
    wantsBody: (exchange) => pending.has(exchange),
    onBody: (exchange, { bytes, isWhole }) => {
      const { text, isAll } = readableText(
        bytes,
        exchange.transaction?.requestBodyWithoutFilesLimitBytes ?? bodyLimitBytes,
      )
      for (const { checks: ofProfile, profile } of pending.get(exchange) ?? []) {
        const { name, isPassive } = profile
        for (const finding of ofProfile.findings(text, isWhole && isAll)) {
          const violation = { attack: finding.attack, detail: finding.detail, rule: finding.rule ?? name }
          const answer = handleViolation(exchange, violation, { isPassive: isPassive || finding.isPassive })
          if (answer) return answer
        }
      }
      return undefined
    },
  }
}

/** All of a document, unless it is too long without the files in it: of such a one the beginning. */
function readableText(bytes: Buffer, textMax: number): { readonly text: string; readonly isAll: boolean } {
  if (bytes.length <= textMax) return { text: bytes.toString('latin1'), isAll: true }
  const text = bytes.toString('latin1')
  const isAll = extractJsonFiles(text, { textMax, filesMax }) !== undefined
  return { text: isAll ? text : text.slice(0, textMax), isAll }
}

function prepared(profile: SnapshotJsonProfile, ignoresCase: boolean, rules: RuleSet | undefined): Profile {
  const { methods, contentTypes, attackTypes } = profile
  const types = new Set(contentTypes)
  const exclusions = attackTypes.exceptRules.map((number) => ({
    rules: { first: number, last: number },
    targets: variables,
  }))
  return {
    fits: placeTest(profile, ignoresCase),
    methods: new Set(methods),
    isJson: (type) => (types.size > 0 ? types.has(type) : /^application\/(?:.+\+)?json$/.test(type)),
    checks: new JsonChecks(profile),
    profile,
    leavesOut: exclusions.length === 0 ? undefined : rules?.exclusions(exclusions),
  }
}

/** One; several where servers could take the address for those of several. */
function profilesFor(exchange: Exchange, profiles: readonly Profile[]): readonly Profile[] {
  const { request, headers, target } = exchange
  const type = contentTypeOf(headers)
  const method = (request.method ?? '').toUpperCase()
  const possible = profiles.filter(
    ({ methods, isJson }) => (methods.size === 0 || methods.has(method)) && isJson(type),
  )
  return fittingRules(possible, exchange, normalPaths(target))
}
