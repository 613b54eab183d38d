import { plainWords } from './plain-words.ts'

const actions = { DENY: 'Blocked', LOG: 'Logged', REDIRECT: 'Redirected', CLOAK: 'Hidden' } as const

/** Each rule that finds something in a request makes an entry. */
function countOf(requests: number, entries: number): string {
  const text = `${entries.toLocaleString('en')} ${entries === 1 ? 'entry' : 'entries'}`
  if (requests === entries) return text
  return `${requests.toLocaleString('en')} ${requests === 1 ? 'request' : 'requests'} with ${text}`
}

/** The texts of the web firewall: its log, why it refused a request, its services, and how an application is protected. */
export const texts = {
  ...plainWords,
  log: {
    title: 'Firewall log',
    time: 'When',
    action: 'Done',
    what: 'What was found',
    rule: 'Rule',
    client: 'Client',
    request: 'Request',
    service: 'Service',
    actions,
    newer: (count: number) =>
      count === 1 ? 'Show 1 newer entry' : `Show ${count.toLocaleString('en')} newer entries`,
    manyNewer: 'Show newer entries',
    follow: 'Show new ones as they come',
    each: 'Choose a request to see what was found in it, why it was refused, and what lets it pass.',
    andMoreRules: (rule: string, others: number) => (others === 0 ? rule : `${rule} +${others}`),
    nothingYet:
      'Nothing has been found yet. Each rule that matches a request, and each limit that one breaks, will be an entry here.',
    nothingFound: 'No entry fits these filters.',
    nothingAround: 'Nothing is in the log from ten minutes before to ten minutes after that time.',
    nothingIsLet:
      'The log has what the firewall refused or found suspicious; what the application itself refused is not in it.',
    withinAnHour: 'Look an hour before and after',
    count: (requests: number, entries: number, hasMore: boolean) => {
      const counted = countOf(requests, entries)
      return hasMore ? `The newest ${counted}. Scroll down for more.` : counted
    },
  },
  filters: {
    service: 'Service',
    everyService: 'All services',
    action: 'What was done',
    everyAction: 'Blocked or logged',
    actions,
    since: 'When',
    anyTime: 'At any time',
    spans: {
      '15m': 'In the last 15 minutes',
      '1h': 'In the last hour',
      '24h': 'In the last 24 hours',
      '7d': 'In the last 7 days',
    },
    around: (zone: string) => `At about (${zone})`,
    client: 'Client IP',
    rule: 'Rule number',
    text: (field: string) => `Text in ${field}`,
    request: 'Support number',
    requestHint: 'Shown to the visitor',
    in: 'Text is in',
    fields: {
      url: 'the path',
      'query-string': 'the query',
      'user-agent': 'the user agent',
      host: 'the host',
      referer: 'the referrer',
    },
    more: 'More filters',
    from: 'From',
    to: 'Until',
    show: 'Search',
    clear: 'Clear all filters',
  },
  request: {
    title: 'Why was this refused?',
    titleLogged: 'Why was this logged?',
    refused: (reason: string) => `The request was refused because ${reason}.`,
    wouldBe: (reason: string) =>
      `The request passed, since the service is in Passive mode. In Active mode it would have been refused because ${reason}.`,
    noted: (reason: string) =>
      `The request passed. It was noted because ${reason}, which is not enough to refuse it.`,
    andOthers: (count: number) =>
      count === 0 ? '' : `, and ${count} more ${count === 1 ? 'rule' : 'rules'} found something`,
    found: (part: string, what: string, rule: string) => `${part} looked like ${what} (rule ${rule})`,
    setting: (attack: string) => `of a setting of the firewall: ${attack}`,
    score: (score: string, threshold: string) =>
      `Together the rules gave it ${score} points; a request with ${threshold} or more is refused.`,
    theRequest: 'The request',
    findings: 'What was found',
    id: 'Support number',
    time: 'When',
    service: 'Service',
    policy: 'Security policy',
    mode: 'Mode',
    client: 'Client',
    line: 'Request',
    userAgent: 'User agent',
    referer: 'Came from',
    rule: 'Rule',
    where: 'Where',
    what: 'Kind of attack',
    detail: 'What it saw (masked as configured)',
    byClient: 'All entries of this client',
    byRule: 'All entries of this rule',
    gone: 'The service does not exist any more.',
    notInLog: (id: string) => `No request with the support number ${id} is in the log.`,
    notInLogHelp:
      'Compare it with the page that the visitor saw, letter by letter. A request of this moment is there some seconds later, and an old one may have been removed. Without the number, look for its time, or for the address of the visitor.',
    toLog: 'Look for it in the log',
  },
  exceptions: {
    title: 'If this was harmless',
    none: 'No exception of a rule would let this request through. What refused it is a setting of the service or of its security policy.',
    notRefused: 'Nothing needs to change: the request was not refused.',
    passes: 'The request passes now: the exceptions that it needs are accepted.',
    smallest: (count: number) =>
      count === 1
        ? 'The smallest change that lets it pass:'
        : `The smallest change that lets it pass, ${count} exceptions:`,
    rules: (rules: readonly string[]) =>
      rules.length === 1 ? 'With the exception, rule' : 'With the exceptions, rules',
    rule: (rule: string) => `Rule ${rule}`,
    areNotApplied: (rules: readonly string[]) =>
      rules.length === 1 ? 'is no longer applied to' : 'are no longer applied to',
    lookFor: (rules: readonly string[]) => (rules.length === 1 ? 'It looks for' : 'They look for'),
    everywhere: 'any part of the request',
    on: 'in requests for',
    everyPath: 'every path',
    stays: 'All other rules, parameters and paths stay protected.',
    evidence: (requests: string, clients: string) =>
      `Seen in ${requests} ${requests === '1' ? 'request' : 'requests'} of ${clients} ${clients === '1' ? 'client' : 'clients'}.`,
    against: 'What speaks against it',
    comment: 'Why (for the audit log)',
    accept: (count: number) => (count === 1 ? 'Accept this exception' : `Accept these ${count} exceptions`),
    acceptedAs: (name: string) => `Accepted as ${name}.`,
    takeBack: 'Take it back',
    takingBack: (rule: string) =>
      `Rule ${rule} will be applied again, and requests like this one may be refused.`,
  },
  replay: {
    title: 'What this would have let through',
    this: 'this request',
    list: 'Requests that this would have let through',
    counted: (through: string, refused: string, clients: string) =>
      `${through} of ${refused} requests that rules refused, or would have, of ${clients} ${clients === '1' ? 'client' : 'clients'}, since `,
    nothing: 'Of what is stored, it would have let nothing else through.',
    limits:
      'The log stores what rules found, not bodies or values of requests. So each score is worked out anew; the rules are not run again.',
    time: 'When',
    client: 'Client',
    request: 'Request',
    rules: 'Rules',
    detail: 'What was seen',
  },
  trial: {
    title: 'Tried against stored requests',
    counted: (others: string, tried: string) =>
      `Would also have let ${others} of ${tried} stored requests pass.`,
    doesNotPass: 'The request itself would be refused all the same.',
  },
  ruleSetTrial: {
    title: 'Try other rules',
    explanation: (stored: string) =>
      `A proxy judges the ${stored} stored requests by rules that do not count yet, as in Active mode. Nothing changes.`,
    ruleSet: 'Rules',
    try: 'Try them',
    counted: (tried: string, refused: string, through: string) =>
      `Of ${tried} stored requests, ${refused} would be refused that pass now, and ${through} would pass that are refused now.`,
    list: 'Requests that would be met otherwise',
    outcome: 'With these rules',
    time: 'When',
    client: 'Client',
    request: 'Request',
    rules: 'Rules that decided',
  },
  health: { Up: 'Up', Down: 'Down', Unknown: 'Not known', Off: 'Off' },
  services: {
    title: 'Services',
    protect: 'Protect an application',
    nothingYet: 'No application is protected yet.',
    filter: 'Find a service',
    filterBy: 'By its name, its address, or a server behind it',
    found: (count: number) => (count === 1 ? '1 service' : `${count.toLocaleString('en')} services`),
    requests: 'requests in the last hour',
    attacks: 'findings',
    off: 'Off',
    blocks: 'Active: attacks are blocked',
    watches: 'Passive: attacks are logged only',
    noServer: 'No server: nobody would answer.',
    same: 'palisade firewall list services',
  },
  service: {
    range: 'Time',
    ranges: {
      '15m': '15 minutes',
      '1h': '1 hour',
      '6h': '6 hours',
      '24h': '24 hours',
      '7d': '7 days',
      '4w': '4 weeks',
      '13w': '13 weeks',
    },
    none: (name: string) => `There is no service ${name}.`,
    health: 'Health',
    address: 'Clients come to',
    mode: 'Mode',
    policy: 'Security policy',
    servers: 'Servers',
    log: 'Its log',
    settings: 'Settings of the service',
    guide: 'What it would refuse, and exceptions',
    requests: 'Requests',
    requestsOf: { requests: 'all', 'responses-4xx': 'answered 4xx', 'responses-5xx': 'answered 5xx' },
    attacks: 'What rules found',
    attacksOf: { 'attacks-denied': 'blocked', 'attacks-logged': 'logged' },
    bytes: 'Data',
    bytesOf: { 'bytes-sent': 'sent', 'bytes-received': 'received' },
    times: 'Mean time until answered',
    timesOf: { 'time-taken-ms': 'as clients see it', 'server-time-ms': 'of the server alone' },
    milliseconds: ' ms',
    block: 'Start blocking',
    blocking: 'Block attacks from now on?',
    blockingText:
      'Requests that are only logged today will be refused. Look at what it would have refused first.',
    watch: 'Stop blocking',
    watching: 'Let attacks pass from now on?',
    watchingText: 'Attacks would reach the application. They would still be logged.',
  },
  learnt: {
    title: 'What it has learnt of ordinary requests',
    off: 'Nothing: learning is switched off for this service.',
    paths: (count: number, enough: number) =>
      count === 0
        ? 'Nothing yet. It learns from requests that were answered and in which no rule finds an attack.'
        : `${count} ${count === 1 ? 'path' : 'paths'}: which methods and parameters they take, and how long these are. ${enough} of them were seen often enough for a profile.`,
    learn: 'Learn from now on',
    accept: (count: number) => (count === 1 ? 'Make a profile of it' : `Make profiles of these ${count}`),
  },
  protect: {
    title: 'Protect an application',
    steps: ['Where it is', 'Watch', 'Exceptions', 'Block'],
    intro:
      'The firewall is put in front of your application, first as an observer that blocks nothing. When you have seen what it would block, you switch it on.',
    url: 'Where is your application?',
    urlHint: 'As the firewall reaches it, such as http://10.0.0.5:8080',
    domain: 'By which names do people call it?',
    domainHint: 'Such as shop.example.org; several with spaces between them',
    listen: 'Where shall people reach it?',
    listenHint: 'An address and a port of this machine; 0.0.0.0 stands for every address',
    tls: 'Certificate',
    ways: {
      none: 'None: people come by plain HTTP',
      'self-signed': 'Self-signed, for trials: browsers warn',
      acme: "From the configuration's authority (ACME)",
      upload: 'I have one',
    },
    certificate: 'Certificate and those up to the root (PEM)',
    key: 'Its private key (PEM)',
    learn: 'Learn what ordinary requests look like',
    begin: 'Put the firewall in front',
    badUrl: 'The address of the application must be one such as http://10.0.0.5:8080, without a path.',
    badListen: 'Expected is an address and a port, such as 0.0.0.0:443 or [::]:443.',
    badDomain: 'At least one name is needed.',
    answers: 'The application can be reached through the firewall.',
    notYet: 'It is not reached yet:',
    looking: 'The firewall looks whether the application answers. This takes some seconds.',
    next: 'Lead the DNS name to this machine, and let nobody but the firewall reach the application itself.',
    watching: 'The firewall watches',
    watchingText: (name: string) =>
      `${name} is in Passive mode: every request passes, and what would have been refused is written down. Let people use the application for some days.`,
    tryIt: {
      Passive:
        'Try it now: the second of these addresses has an attack in it. Both pass, and the second one stands in the log.',
      Active: 'Try it now: the second of these addresses has an attack in it, and is refused.',
    },
    seen: 'Seen in the last 7 days',
    seenRequests: 'requests',
    seenFindings: 'findings of rules',
    toLog: 'Look at the log',
    wouldRefuse: 'What it would refuse',
    refuses: 'What it refuses',
    kind: (url: string, part: string, what: string) => `Requests for ${url}: ${part} looks like ${what}`,
    harmless: 'This was harmless: let it pass',
    harmlessOf: (part: string, url: string) => `This was harmless: let it pass, ${part} at ${url}`,
    nothing: 'So far it would have refused nothing.',
    review: 'Choose what was harmless: an exception will let it pass. Leave attacks alone.',
    examples: 'Requests',
    ready: 'Ready to block?',
    readyText: 'From then on, attacks get a page that says no. You can go back at any time.',
    activate: 'Start blocking attacks',
    active: 'The application is protected',
    activeText: (name: string) => `${name} blocks attacks. What it blocks stands in the log.`,
    toService: 'To the service',
  },
} as const
