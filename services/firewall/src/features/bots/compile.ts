import type { SnapshotBot, SnapshotBots, SnapshotKey } from '@palisade/proxy-protocol'
import { byName, isNotOff, isOn, isPassive, items, number, ranges, text } from '../../kinds/conversions.ts'
import { fieldReader, type Settings, sectionReader, whenOn } from '../../kinds/field-reader.ts'
import type { ConfigurationObject } from '../../objects/configuration-object.ts'
import { childrenOf, kindNamedBy } from '../../objects/reading.ts'
import { referenceReader } from '../../objects/reference-reader.ts'
import type { Snapshot } from '../../objects/snapshot.ts'
import { inOrder, placeMembers } from '../places/compile.ts'
import { service } from '../services/service.ts'
import { urlPolicy } from '../url-policies/fields.ts'
import { webScrapingPolicy } from './web-scraping-policy.ts'
import { whitelistedBot } from './whitelisted-bot.ts'

/** How a bot calls itself, and how it proves that. */
export const botReader = fieldReader(whitelistedBot, {
  /** What `User-Agent` contains, in upper or lower case. */
  userAgent: ['user-agent', text],
  /** By the names to which its address leads, and which lead back to it, or by its address alone. */
  provedBy: ['identifier', byName({ 'IP Addresses': 'addresses' }, 'hosts')],
  /** `*` stands for any characters. */
  hosts: ['host', items],
  addresses: ['ip-address', ranges],
})

/** Which traps are set for programs that copy a site. */
export const scrapingReader = fieldReader(webScrapingPolicy, {
  /** Whether `robots.txt` forbids a URL that nobody reaches otherwise. */
  forbidsUrl: ['insert-disallowed-urls', isOn],
  /** Whether pages have a link that people do not see. */
  hidesLink: ['insert-hidden-links', isOn],
  asksForDelay: ['insert-delay', isOn],
  /** Which delay `robots.txt` asks for, in seconds, where it does. */
  delaySeconds: ['delay-time', number],
})

/** Whether clients are refused that pretend to be a bot that is welcome; undefined where the filter is off. */
export const fakeCrawlers = whenOn(
  sectionReader(service, 'ip-reputation', {
    isOn: ['enable-ip-reputation-filter', isOn],
    areRefused: ['fake-crawler', (value) => value === 'Block'],
  }),
)

/** The bots that the traps of a policy leave alone. */
export const welcomeBots = referenceReader(webScrapingPolicy, 'whitelisted-bots')

/** What is set against programs that copy the site at some URLs: one policy at most. */
export const scrapingPolicyOfUrl = referenceReader(urlPolicy, 'web-scraping-policy')

/** Where traps are set; undefined where the URL policy is switched off. */
export const scrapedPlaceReader = whenOn(
  fieldReader(urlPolicy, { isOn: ['status', isNotOff], ...placeMembers, isPassive: ['mode', isPassive] }),
)

/** What is done about bots; undefined for nothing. @param keys with which traps are made */
export function compileBots(
  object: ConfigurationObject,
  snapshot: Snapshot,
  keys: readonly SnapshotKey[],
): SnapshotBots | undefined {
  const refusesFakes = fakeCrawlers.of(object)?.areRefused === true
  const policies = childrenOf(object, urlPolicy.name).flatMap((one) => {
    const place = scrapedPlaceReader.of(one)
    const [scraping] = scrapingPolicyOfUrl.of(one, snapshot)
    if (place === undefined || scraping === undefined) return []
    const welcome = welcomeBots.of(scraping, snapshot).map(botOf)
    return { name: scraping.name, ...place, ...scrapingReader.of(scraping), welcome }
  })
  if (!refusesFakes && policies.length === 0) return undefined
  return { keys, crawlers: refusesFakes ? allBots(object, snapshot) : [], policies: inOrder(policies) }
}

/** The web scraping policies that the URL policies of a service name, each once. */
export function scrapingPoliciesOf(object: ConfigurationObject, snapshot: Snapshot): ConfigurationObject[] {
  const policies = childrenOf(object, urlPolicy.name)
  return [...new Set(policies.flatMap((one) => scrapingPolicyOfUrl.of(one, snapshot)))]
}

/** The bots that administrators have, with those of the factory. */
function allBots(object: ConfigurationObject, snapshot: Snapshot): SnapshotBot[] {
  const policies = object.kind.children.find(({ name }) => name === urlPolicy.name)
  const scraping = policies && kindNamedBy(policies, 'web-scraping-policy')
  const bots = scraping && kindNamedBy(scraping, 'whitelisted-bots')
  return Array.from((bots && snapshot.collection(bots, [])) ?? [], botOf)
}

function botOf(object: ConfigurationObject): SnapshotBot {
  return { name: object.name, ...botReader.of(object) }
}

/** A bot as an administrator describes it. */
export type SnapshotBotSettings = Settings<typeof botReader>

/** The traps of a policy, and where they are. */
export type SnapshotScrapingSettings = Settings<typeof scrapingReader> & { readonly isPassive: boolean }
