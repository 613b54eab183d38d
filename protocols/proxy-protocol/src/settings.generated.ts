// Made from the readers of services/firewall by `npm run contract`.

/** How accesses to a URL are counted. */
export interface SnapshotAccessCounting {
  readonly windowSeconds: number
  readonly counts: 'all-clients' | 'each-client'
  /** Clients that are not counted. */
  readonly exceptions: readonly string[]
}

/** How often a URL may be asked for in the window; 0 for any number. */
export interface SnapshotAccessMaxima {
  readonly accesses: number
  readonly failures: number
  /** In bytes of answers. */
  readonly bandwidthBytes: number
}

/** The attributes that cookies get. */
export interface SnapshotAddedAttributes {
  readonly httpOnly: boolean
  readonly secure: boolean
  readonly sameSite?: 'Lax' | 'None' | 'Strict'
}

/** What an authorization policy says itself. */
export interface SnapshotAuthorizationSettings {
  readonly sequence: number
  /** Whether everybody may pass who has logged in. */
  readonly allowsEverybody: boolean
  readonly users: readonly string[]
  readonly groups: readonly string[]
  /** How people log in: with a form, or with what their browser asks them for (RFC 7617). */
  readonly loginMethod: 'basic' | 'form'
  /** Where people are sent who have not logged in; a page of the service where absent. */
  readonly loginUrl?: string
  /** Where people are sent who may not make the request; a page of the service where absent. */
  readonly deniedUrl?: string
  /** Whether the login outlives the browser, and for how long. */
  readonly isPersistent: boolean
  readonly persistentSeconds?: number
  /** Whether servers are told the name and the password of the user. */
  readonly sendsPassword: boolean
  /** What an OpenID provider is asked for. */
  readonly scope?: string
  readonly host: string
  readonly url: string
  readonly extendedMatch: string
}

/** Where a list of blocked clients is downloaded from. */
export interface SnapshotBlocklistSource {
  /** Of HTTP or HTTPS; a name and a password in it are sent by HTTP's Basic authentication. */
  readonly url: string
  readonly validatesCertificate: boolean
}

/** Texts in the bodies of answers that are replaced by others. */
export interface SnapshotBodyRewrite {
  readonly host: string
  readonly url: string
  readonly search: string
  readonly replacement: string
}

/** A bot as an administrator describes it. */
export interface SnapshotBotSettings {
  /** What `User-Agent` contains, in upper or lower case. */
  readonly userAgent: string
  /** By the names to which its address leads, and which lead back to it, or by its address alone. */
  readonly provedBy: 'addresses' | 'hosts'
  /** `*` stands for any characters. */
  readonly hosts: readonly string[]
  readonly addresses: readonly string[]
}

/** Which answers are kept for further clients. */
export interface SnapshotCaching {
  /** Without the dot, in lower case; `*` for every address. */
  readonly extensions: readonly string[]
  /** In bytes. */
  readonly sizeMin: number
  readonly sizeMax: number
  /** How long an answer is kept that does not say itself, in seconds. */
  readonly ageSeconds: number
  /** Whether clients that want a fresh answer get a kept one. */
  readonly ignoresRequestHeaders: boolean
  /** Whether answers are kept whose server does not want that. */
  readonly ignoresResponseHeaders: boolean
  /** Whether errors are kept, too. */
  readonly keepsErrors: boolean
}

/** What a rule for certificates says itself. */
export interface SnapshotCertificateRuleSettings {
  readonly does: 'allow' | 'deny'
  /** Hexadecimal, without colons and leading zeros, upper case; absent for any. */
  readonly serial?: string
}

/** The sort of number whose check digits a match has to have right, so that other numbers are passed over. */
export type SnapshotCheckDigits = 'credit-card' | 'czech' | 'hungarian' | 'korean' | 'polish'

/** How clients show certificates. */
export interface SnapshotClientCertificateSettings {
  /** Whether clients without one, or with one that is not trusted, are turned away. */
  readonly areRequired: boolean
}

/** How a service speaks with its clients, and whom it believes about them. */
export interface SnapshotClientConnections {
  /** How long a client's connection may be idle between two requests, in seconds; 0 for any time. */
  readonly idleTimeoutSeconds: number
  /** Requests after which a client's connection is closed; 0 for any number. */
  readonly requestsPerConnectionMax: number
  /** Whether connections may turn into WebSockets (RFC 6455). */
  readonly allowsWebSockets: boolean
  /**
   * Whether connections begin with a PROXY header, which tells the client's address. It is taken of the trusted proxies alone; where nobody has said
   * which those are, of everybody, as something that is only said.
   */
  readonly expectsProxyHeader?: boolean
  /**
   * Proxies before us whose word about clients is taken: addresses, ranges with "-" and networks with "/". Absent where nobody has said which
   * those are: then only the header that tells the client's address is believed, of everybody.
   */
  readonly trustedProxies?: readonly string[]
}

/** Which answers are compressed for clients that can read them so. */
export interface SnapshotCompression {
  /** Media types as administrators write them: patterns with the slash in brackets, such as `text[/]html`. */
  readonly contentTypes: readonly string[]
  /** Smaller ones are sent as they are, in bytes. */
  readonly sizeMin: number
  /** Whether those are compressed, too, that have other types or none. */
  readonly unknownTypes: boolean
}

/** Which cookies are protected, and how. */
export interface SnapshotCookieProtection {
  readonly does: 'encrypt' | 'nothing' | 'sign'
  /** Names of cookies that are left alone; `*` stands for any characters. */
  readonly exempted: readonly string[]
  /** For how long a sealed cookie is taken, in seconds; 0 for any time. */
  readonly ageMaxSeconds: number
}

/** How log-ins are told, and how often one password may be tried. */
export interface SnapshotCredentialSettings {
  readonly sentAs: 'basic' | 'form' | 'json'
  /** Names of parameters or keys; those of JSON may be paths with dots. */
  readonly userNameField: string
  readonly passwordField: string
  /** For how many user names one password may be tried in the window. */
  readonly attemptsMax: number
  readonly windowSeconds: number
  /** Clients whose log-ins are not looked at. */
  readonly exceptions: readonly string[]
}

/** What becomes of data that answers must not give away. */
export interface SnapshotDataProtection {
  readonly does: 'block' | 'cloak'
  /** What stays readable of what is cloaked, in characters. */
  readonly keepsInitial: number
  readonly keepsTrailing: number
}

/** What a policy against floods says itself. */
export interface SnapshotDdosPolicySettings {
  /** Of whom it is asked; `suspicious`: of clients one of whose requests was refused a while ago. */
  readonly asks: 'all' | 'none' | 'suspicious'
  /** Wrong answers after which a client is refused. */
  readonly triesMax: number
  /** Unanswered challenges after which a client is refused. */
  readonly unansweredMax: number
  /** How long a client that has answered may be idle before it is asked again. */
  readonly idleSeconds: number
}

/** After how many failures in the traffic a server is passed over. */
export interface SnapshotFailureLimits {
  /** Failures one after the other, 0 for not counting them. */
  readonly refusedMax: number
  readonly timeoutsMax: number
  readonly httpErrorsMax: number
  readonly otherFailuresMax: number
}

/** A form that is protected from programs. */
export interface SnapshotFormSpamForm {
  /** Where it is sent: a path in which `*` stands for any characters. */
  readonly url: string
  /** Who sends it sooner is taken for a program. */
  readonly fillSeconds: number
  readonly isPassive: boolean
}

/** Whether and which forms are protected from programs. */
export interface SnapshotFormSpamSettings {
  /** Whether forms get a field that people do not see. */
  readonly hasHoneypot: boolean
  /** Whether all forms of pages count, listed or not. */
  readonly coversAll: boolean
}

/** A change to the head of a request or an answer. */
export interface SnapshotHeadRewrite {
  /** An extended match. */
  readonly condition: string
  /** What a value has to fit: `*` stands for any characters, or all of it is a regular expression. Empty for any value. */
  readonly oldValue: string
  readonly newValue: string
  /** Whether the rules that follow are applied once this one was. */
  readonly continues: boolean
}

/** What a rule for headers says itself. */
export interface SnapshotHeaderAclSettings {
  /** In lower case; `*` for every header that has no rule of its own. */
  readonly header: string
  readonly isPassive: boolean
  /** Absent when the limits of the policy count alone. */
  readonly valueBytes?: number
  /** Byte string. */
  readonly deniedCharacters: string
}

/** What a text has to be like to fit a pattern. */
export interface SnapshotInputPattern {
  /** A regular expression of JavaScript. */
  readonly regex: string
  readonly isCaseSensitive: boolean
  /** Which check digits have to be right. */
  readonly checkDigits?: 'credit-card' | 'czech' | 'hungarian' | 'korean' | 'polish'
}

/** How the requests to a service are inspected. */
export interface SnapshotInspectionDetails {
  /** Whether URLs and names of parameters fit rules in any case. */
  readonly ignoresCase: boolean
  /** The least grave severity that is logged, as syslog numbers them: 0 to 7. */
  readonly logLevel: number
}

/** What the profile of a JSON key says itself. */
export interface SnapshotJsonKeySettings {
  /** A path of names with dots between them, in which `*` stands for any characters; a single name is meant anywhere. */
  readonly key: string
  readonly type: 'any' | 'array' | 'number' | 'object' | 'string'
  readonly allowsNull: boolean
  readonly valueCharacters: number
  /** In an object that is the value, and elements of an array that is. */
  readonly keys: number
  readonly arrayElements: number
  readonly checksNames: boolean
  readonly decodesBase64: boolean
}

/** What a JSON profile says itself. */
export interface SnapshotJsonProfileSettings {
  readonly isPassive: boolean
  /** In upper case; any when empty. */
  readonly methods: readonly string[]
  /** Bodies of these types are JSON, in lower case; `application/json` and what ends in `+json` when empty. */
  readonly contentTypes: readonly string[]
  /** Keys whose values are not checked, as `SnapshotJsonKeyProfile.key`. */
  readonly ignoredKeys: readonly string[]
  /** Whether attacks are also looked for in the names of keys. */
  readonly checksNames: boolean
}

/** How large a JSON document may be; 0 for any size. */
export interface SnapshotJsonSizes {
  /** How many objects and arrays may be open at once. */
  readonly depth: number
  /** In the whole document. */
  readonly keys: number
  /** In one object. */
  readonly siblings: number
  readonly arrayElements: number
  /** Of the name of a key, and of a string. */
  readonly keyCharacters: number
  readonly valueCharacters: number
}

/** What a directory is asked with. */
export interface SnapshotLdapDirectorySettings {
  readonly address: string
  readonly port: number
  readonly encryption: 'none' | 'start-tls' | 'tls'
  /** The entry below which users and groups are looked for. */
  readonly baseDn: string
  readonly bindDn: string
  readonly bindPassword: string
  readonly loginAttribute: string
  /** What users may write before their name and a backslash. */
  readonly domainAlias?: string
  readonly looksUpGroups: boolean
  /** A search filter (RFC 4515) that all groups fit. */
  readonly groupFilter?: string
  readonly groupNameAttribute: string
  readonly allowsNestedGroups: boolean
}

/** Of which parameters is learnt. */
export interface SnapshotLearntParameters {
  /** Names of parameters that are not learnt; `*` stands for any characters. */
  readonly ignoredParameters: readonly string[]
  /** Names of parameters whose values tell one page from another. */
  readonly navigationParameters: readonly string[]
}

/** Of which URLs is learnt. */
export interface SnapshotLearntUrls {
  /** URLs of which nothing is learnt, and those of which it is all the same; `*` stands for any characters. */
  readonly exceptUrls: readonly string[]
  readonly urlsAllTheSame: readonly string[]
}

/** A user who is kept here: the digest of the password is argon2id, in the PHC string format. */
export interface SnapshotLocalUserSettings {
  readonly passwordHash: string
  readonly groups: readonly string[]
}

/** What of the requests to a service is logged. */
export interface SnapshotLogging {
  readonly logsAccess: boolean
  /** Names of parameters whose values no log may show; `*` stands for any characters. */
  readonly maskedParameters: readonly string[]
}

/** What is looked for in the messages of clients. */
export interface SnapshotMessageSecurity {
  /** Whether the JSON profiles for the address of the WebSocket count for its messages. */
  readonly checksJson: boolean
  /** Whether messages have to be JSON. */
  readonly isJson: boolean
}

/** How addresses are read. */
export interface SnapshotNormalization {
  /** Of addresses and parameters: `utf-8`, or another label of the Encoding Standard; absent when any bytes are taken. */
  readonly charset?: string
  readonly decodesTwice: boolean
  /** Whether full-width look-alikes of ASCII characters are replaced by these. */
  readonly narrowsCharacters: boolean
  /** Each character of it stands between two parameters: `&`, `;` or `&;`. */
  readonly parameterSeparators: string
}

/** Whole numbers in decimal digits, with a "-" before negative ones; absent for no limit. */
export interface SnapshotNumberRange {
  readonly min?: string
  readonly max?: string
}

/** What an OpenID provider is asked with. */
export interface SnapshotOpenIdProviderSettings {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Whether its endpoints are those that its metadata tell. */
  readonly endpoints: 'discovered' | 'given'
  readonly metadataUrl?: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly keysUrl: string
  readonly userInfoEndpoint?: string
}

/** What a parameter profile says itself, beside what every check of values does. */
export interface SnapshotParameterProfileSettings {
  /** The name of the parameter; `*` stands for any characters. */
  readonly parameter: string
  readonly isIgnored: boolean
  readonly isRequired: boolean
  /** Whether the value has to be one that a page has offered, and what it is called if it is not; absent where it may be any. */
  readonly seals?: 'read-only' | 'session-choice' | 'session-invariant'
}

/** How clients are met for where they are. */
export interface SnapshotPlaceSettings {
  /** Whether the connection of a client is closed that is refused for its own address; otherwise it is answered. */
  readonly closesConnections: boolean
  /** Whether what is refused for where it comes from, or because nobody knows, is logged. */
  readonly logsPlaces: boolean
  /** Whether the country in which an address is registered counts beside that in which it is used. */
  readonly countsRegistration: boolean
  /** Whether clients are refused of whose address no country is known. */
  readonly blocksUnclassified: boolean
}

/** How many requests a pool serves at once, and lets wait. */
export interface SnapshotPoolLimits {
  readonly activeMax: number
  /** Requests of one client that wait. */
  readonly backlogMax: number
  /** Clients whose requests wait, but for preferred ones. */
  readonly clientsMax: number
}

/** Clients whose requests wait beside those of all others. */
export interface SnapshotPreferredClient {
  /** Addresses, ranges with "-" and networks with "/". */
  readonly clients: readonly string[]
  /** How often their turn comes: 1 to 100 times that of others. */
  readonly weight: number
}

/** What a RADIUS server is asked with. */
export interface SnapshotRadiusServerSettings {
  readonly address: string
  /** Of UDP. */
  readonly port: number
  readonly sharedSecret: string
  /** How often what is not answered is sent again. */
  readonly retries: number
  /** How long one answer may take. */
  readonly timeoutSeconds: number
}

/** The most that the head of a request may have; sizes in bytes. */
export interface SnapshotRequestLimits {
  /** The request line and all headers together. */
  readonly headBytes: number
  readonly requestLineBytes: number
  /** Without the query. */
  readonly urlBytes: number
  readonly queryBytes: number
  readonly headers: number
  readonly headerNameBytes: number
  readonly headerValueBytes: number
  readonly cookies: number
  readonly cookieNameBytes: number
  readonly cookieValueBytes: number
}

/** What a list of revoked certificates says itself. */
export interface SnapshotRevocationListSettings {
  /** Of HTTP or HTTPS; a name and a password in it are sent by HTTP's Basic authentication. */
  readonly url: string
  /** Whether it is downloaded again while the one that is there counts. */
  readonly isUpdated: boolean
  /** How often it is updated. */
  readonly interval: 'day' | 'month' | 'week'
  /** From 1 to 31, for monthly updates; in a month that is shorter, its last day is meant. */
  readonly dayOfMonth: number
  /** For weekly updates, 0 for Sunday. */
  readonly dayOfWeek: number
  /** When updates begin, in seconds since midnight, UTC. */
  readonly secondOfDay: number
  /** How often an update that failed is tried again. */
  readonly retriesMax: number
}

/** The traps of a policy, and where they are. */
export interface SnapshotScrapingSettings {
  /** Whether `robots.txt` forbids a URL that nobody reaches otherwise. */
  readonly forbidsUrl: boolean
  /** Whether pages have a link that people do not see. */
  readonly hidesLink: boolean
  readonly asksForDelay: boolean
  /** Which delay `robots.txt` asks for, in seconds, where it does. */
  readonly delaySeconds: number
  readonly isPassive: boolean
}

/** Which values the second stage does not analyse. */
export interface SnapshotSecondStage {
  /** Names of parameters for which the rules alone decide; `*` stands for any characters. */
  readonly excludedParameters: readonly string[]
}

/** How connections to a server are opened and used. */
export interface SnapshotServerConnections {
  /** Connections at once; 0 for any number. */
  readonly connectionsMax: number
  /** Connections that are being opened at once, TLS included; any number when absent. */
  readonly establishingMax?: number
  /** Requests after which a connection is closed; 0 for any number. */
  readonly requestsPerConnectionMax: number
  /** Requests that wait for a connection at once; further ones are refused. Any number when 0 or absent. */
  readonly waitingMax?: number
  /** The address of the proxy's machine from which it is reached; undefined for any. */
  readonly localAddress?: string
  /** How long an answer is waited for, in milliseconds; 0 for any time. */
  readonly responseTimeoutMs: number
}

/** How TLS is spoken with a server. */
export interface SnapshotServerTlsSettings {
  readonly validatesCertificate: boolean
}

/** How the token of a session is found. */
export interface SnapshotSessionIdentifier {
  readonly name: string
  readonly startDelimiter: string
  readonly endDelimiter: string
}

/** How the sessions of clients are counted. */
export interface SnapshotSessionTracking {
  readonly windowSeconds: number
  /** Clients that are not counted. */
  readonly exceptions: readonly string[]
}

/** How people log in to a service, as it says itself. */
export interface SnapshotSignInSettings {
  readonly idleSeconds: number
  /** How long after a login people have to log in again in any case. */
  readonly lifetimeSeconds?: number
  /** Whether a login is good for the address and the browser alone that it was made with. */
  readonly bindsToClient: boolean
  /** The domain whose hosts share logins; each host has its own where absent. */
  readonly cookieDomain?: string
  readonly cookiePath: string
  /** How often a client is told that it was active. */
  readonly updateSeconds: number
  readonly limitsFailures: boolean
  /** How often a user, or an address, may fail in a window. */
  readonly failuresMax: number
  readonly failureWindowSeconds: number
  /** Where forms are sent, and where people log out. */
  readonly loginPath: string
  /** Where an OpenID provider sends people back to; the login path where absent. */
  readonly redirectUrl?: string
  /** What a claim of the provider is called here. */
  readonly localName?: string
  readonly claim?: string
}

/** Who says whether certificates were revoked. */
export interface SnapshotStatusResponderSettings {
  /** Of HTTP or HTTPS; empty for the one that the certificate names. */
  readonly url: string
}

/** Which requests are kept to be judged again. */
export interface SnapshotStoredTraffic {
  /** Of so many requests in which nothing was found, one is kept. */
  readonly ordinaryShare: number
  /** Requests with longer bodies are not kept. */
  readonly bodyBytesMax: number
}

/** How clients are slowed that were sent to the tarpit. */
export interface SnapshotTarpit {
  /** How long each request waits. */
  readonly delaySeconds: number
  /** Requests of one client that wait; further ones are refused. */
  readonly backlogMax: number
  /** How long a client has to be silent to be let out. */
  readonly silenceSeconds: number
}

/** What a rule for encrypted links says itself. */
export interface SnapshotUrlEncryptionSettings {
  /** The pages whose links are encrypted: a host and a path, in which `*` stands for any characters. */
  readonly host: string
  readonly url: string
  /** Whether these pages may be asked for by their plain addresses as well. */
  readonly allowsPlainRequests: boolean
  /** Addresses that stay plain; `*` stands for any characters. */
  readonly excludedUrls: readonly string[]
}

/** What a URL policy says itself. */
export interface SnapshotUrlPolicySettings {
  readonly isPassive: boolean
  readonly protectsData: boolean
}

/** What a URL profile says itself, beside what every protection of URLs does. */
export interface SnapshotUrlProfileSettings {
  readonly isPassive: boolean
  /** Where hidden fields are sealed, which have to come back as they were; absent for nowhere. */
  readonly hidden?: 'forms' | 'forms-and-urls'
  /** Who sends a form sooner is taken for a program, where these are kept from forms. */
  readonly fillSeconds?: number
  /** Pages from which the URL may be reached; any when empty. `*` stands for any characters. */
  readonly referrers: readonly string[]
}

/** What the protection of URLs says itself. */
export interface SnapshotUrlProtectionSettings {
  /** Upper case; any when empty. */
  readonly methods: readonly string[]
  /** Lower case, without parameters; `*` stands for any characters; any type when empty. */
  readonly contentTypes: readonly string[]
  /** Of a body without its files, in bytes; 0 for any. */
  readonly contentBytes: number
  /** In a request. */
  readonly parameters?: number
  readonly parameterNameCharacters: number
  readonly files: number
  /** What needs a token that other sites cannot know; absent for nothing. */
  readonly csrf?: 'forms' | 'forms-and-urls'
}

/** What values of parameters may be. */
export interface SnapshotValueSettings {
  /** Characters (byte strings) that no value may have. */
  readonly deniedCharacters: string
  /** Of a value, in characters; 0 for any. */
  readonly valueCharacters: number
  /** Of one parameter in a request; absent for any. */
  readonly instances?: number
  /** Whether attacks are also looked for in names. */
  readonly checksNames: boolean
  readonly decodesBase64: boolean
}

/** Which pages may open a WebSocket, and what its frames may be like. */
export interface SnapshotWebSocketSettings {
  /** As browsers write them, such as `https://www.example.com`, in lower case; `*` stands for any characters. Any when empty. */
  readonly origins: readonly string[]
  /** Frames of one message; 0 for any number. */
  readonly framesMax: number
  /** Of the payload of one frame; 0 for any size. */
  readonly frameBytesMax: number
  /** Which messages there may be. */
  readonly payload: 'any' | 'binary' | 'text'
}

/** Where the profiles of a site count. */
export interface SnapshotWebsiteProfile {
  readonly isPassive: boolean
  /** Whether requests are violations for which there is no profile. */
  readonly isStrict: boolean
  /** Hosts, in which `*` stands for any characters; any when empty. */
  readonly hosts: readonly string[]
  /** URLs that profiles are not for, and those that they are for all the same; `*` stands for any characters. */
  readonly exceptUrls: readonly string[]
  readonly urlsAllTheSame: readonly string[]
}
