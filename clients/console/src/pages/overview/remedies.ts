/** A page that mends a condition: its route, and the address of the page for the thing that the condition is about. */
interface RemedyPage {
  readonly route: string
  readonly address: string
}

const page = (route: string): RemedyPage => ({ route, address: route })

/** Pages by condition, best first. They are given the last word of the subject, such as `acme/0001` of `computer acme/0001`. */
const pages: Readonly<Record<string, (subject: string) => readonly RemedyPage[]>> = {
  'server-down': (server) => serviceAnd(server),
  'unserved-services': () => [page('/firewall/services')],
  'logins-refused': () => [page('/firewall/services')],
  'attack-wave': (service) => [
    { route: '/firewall/log', address: `/firewall/log?service=${encodeURIComponent(service)}` },
    page('/firewall/services'),
  ],
  'certificate-not-renewed': () => [page('/firewall/certificates')],
  'certificate-expiry': () => [page('/firewall/certificates'), page('/system')],
  'no-rules': () => [page('/firewall/rules')],
  'rules-notice': () => [page('/firewall/rules')],
  'agent-gone': computerPages,
  'no-good-backup': computerPages,
  'no-backup-set': setPages,
  'backup-failed': computerPages,
  'not-proved': computerPages,
  'revision-damaged': computerPages,
  'domain-unverified': domainPages,
  'domain-record-missing': domainPages,
  'no-domain-name': () => [page('/email/accounts')],
  'channel-failing': () => [page('/notifications')],
  'unknown-user': () => [page('/awareness/access')],
}

/**
 * The page of the console on which a condition is mended.
 *
 * @param isThere whether the console has a route
 * @returns its address below /console; undefined for what is mended on no page
 */
export function remedyPage(
  { condition, subject }: { readonly condition: string; readonly subject: string },
  isThere: (route: string) => boolean,
): string | undefined {
  const [, name = ''] = /(\S+)$/.exec(subject) ?? []
  return pages[condition]?.(name).find(({ route }) => isThere(route))?.address
}

function serviceAnd(server: string): readonly RemedyPage[] {
  const [service = ''] = server.split('/')
  return [
    {
      route: '/firewall/services/$service',
      address: `/firewall/services/${encodeURIComponent(service)}`,
    },
    page('/firewall/services'),
  ]
}

function computerPages(subject: string): readonly RemedyPage[] {
  const [account = '', computer = ''] = subject.split('/').map(encodeURIComponent)
  return [
    {
      route: '/backup/computers/$account/$computer',
      address: `/backup/computers/${account}/${computer}`,
    },
    page('/backup/computers'),
  ]
}

function setPages(subject: string): readonly RemedyPage[] {
  const [account = '', computer = ''] = subject.split('/').map(encodeURIComponent)
  return [
    {
      route: '/backup/computers/$account/$computer/sets',
      address: `/backup/computers/${account}/${computer}/sets`,
    },
    ...computerPages(subject),
  ]
}

function domainPages(subject: string): readonly RemedyPage[] {
  const [account = '', domain = ''] = subject.split('/').map(encodeURIComponent)
  return [
    { route: '/email/accounts/$account/$domain', address: `/email/accounts/${account}/${domain}` },
    page('/email/accounts'),
  ]
}
