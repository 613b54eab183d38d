import { AdministrationConfigurationSchema } from '@palisade/administration'
import { AwarenessConfigurationSchema } from '@palisade/awareness'
import { BackupConfigurationSchema } from '@palisade/backup'
import { EmailConfigurationSchema } from '@palisade/email'
import { FirewallConfigurationSchema } from '@palisade/firewall'
import { logFormats, logLevels } from '@palisade/log'
import { type Static, Type } from 'typebox'

const port = (fallback: number, description: string) =>
  Type.Integer({ minimum: 0, maximum: 65_535, default: fallback, description })

const ruleFile = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))

/** On loopback unless configured: a fresh installation is reachable from its own machine only. */
const listen = (http: number, https: number) =>
  Type.Object(
    {
      host: Type.String({
        minLength: 1,
        default: '127.0.0.1',
        description: 'The address to listen at; 0.0.0.0 is all of IPv4, and :: all.',
      }),
      http: port(http, 'The port of HTTP; 0 lets the system choose.'),
      https: port(https, 'The port of HTTPS; 0 lets the system choose.'),
    },
    { additionalProperties: false, default: {}, description: 'Where it listens.' },
  )

const certificate = Type.Optional(
  Type.Object(
    {
      certificateFile: Type.String({
        minLength: 1,
        description: 'The certificate and the chain behind it, PEM.',
      }),
      keyFile: Type.String({ minLength: 1, description: 'Its private key without a passphrase, PEM.' }),
    },
    {
      additionalProperties: false,
      description: 'Files to present instead of the self-signed certificate; read again by a reload.',
    },
  ),
)

const tls = Type.Optional(
  Type.Object(
    {
      acme: Type.Object(
        {
          domains: Type.Array(
            Type.String({
              pattern:
                '^(\\*\\.)?([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.)+[A-Za-z][A-Za-z0-9-]{0,62}$',
              maxLength: 253,
              examples: ['palisade.example.com'],
              expects: 'a host name such as palisade.example.com, or *.example.com',
            }),
            {
              minItems: 1,
              maxItems: 100,
              description:
                'The hosts by which clients reach the listener; all of them are in the certificate.',
            },
          ),
        },
        {
          additionalProperties: false,
          description:
            'A certificate that the server obtains and renews by itself, from the authority of firewall.acme.',
        },
      ),
    },
    {
      additionalProperties: false,
      description:
        'How HTTPS gets its certificate, in the place of files; the self-signed one serves until then.',
    },
  ),
)

/** The whole configuration file, with every default. */
export const ConfigurationSchema = Type.Object(
  {
    dataDirectory: Type.String({
      minLength: 1,
      default: './data',
      description: 'The folder of everything that the server keeps.',
    }),
    database: Type.String({
      pattern: '^(embedded|postgres(ql)?://.+)$',
      default: 'embedded',
      description:
        '"embedded" is SQLite in the data directory: nothing to install, and durable. An address of PostgreSQL may name several servers, host:port,host:port: the one that takes writes is used.',
      expects: 'embedded, or the address of a PostgreSQL such as postgres://user:password@host/database',
    }),
    log: Type.Object(
      {
        level: Type.Union(
          logLevels.map((level) => Type.Literal(level)),
          { default: 'info', description: 'The least severe level that is written.' },
        ),
        format: Type.Union(
          logFormats.map((format) => Type.Literal(format)),
          {
            default: 'auto',
            description:
              'Of lines on standard output; "auto" is text on a terminal, and JSON for everything else.',
          },
        ),
      },
      { additionalProperties: false, default: {}, description: 'What is logged, and how.' },
    ),
    tracing: Type.Optional(
      Type.Object(
        {
          endpoint: Type.String({
            pattern: '^https?://[^@#?]+$',
            maxLength: 2048,
            description:
              'The address of the collector, without its path /v1/traces; OTLP over HTTP, as JSON.',
            examples: ['http://127.0.0.1:4318'],
            expects: 'the address of a collector such as http://127.0.0.1:4318, without a user',
          }),
          sampleRatio: Type.Number({
            minimum: 0,
            maximum: 1,
            default: 0.1,
            description: 'How many of the traces that begin here are recorded, from 0 to 1.',
          }),
          queries: Type.Boolean({
            default: false,
            description:
              'Whether each query of the database is a span too, with its text and without its parameters: many more spans, for looking for what is slow.',
          }),
          headersFile: Type.Optional(
            Type.String({
              minLength: 1,
              description:
                'A file with headers that the collector wants, such as its key: name=value, one a line. Only its owner and his group may read it.',
            }),
          ),
        },
        {
          additionalProperties: false,
          description:
            'Has traces of the server, and of the proxy that it runs, sent to an OpenTelemetry collector; none are recorded when left out.',
        },
      ),
    ),
    firewall: Type.Object(
      {
        listen: listen(8000, 8443),
        certificate,
        tls,
        runProxy: Type.Boolean({
          default: true,
          description:
            'Whether the server also carries the traffic of the services, by a proxy process of its own.',
        }),
        proxyMetrics: Type.Optional(
          Type.Object(
            {
              host: Type.String({ minLength: 1, default: '127.0.0.1', description: 'The address.' }),
              port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'The port.' }),
            },
            {
              additionalProperties: false,
              description:
                'Where figures of that proxy are shown to Prometheus, at /metrics; nowhere when left out.',
            },
          ),
        ),
        ruleFolder: Type.Optional(
          Type.String({
            minLength: 1,
            description:
              'Where that proxy finds a Core Rule Set; when left out the release chosen by "palisade rules use", else that of Debian.',
          }),
        ),
        ruleCandidates: Type.Optional(
          Type.Array(
            Type.Object(
              {
                name: Type.String({ pattern: '^[\\w.-]{1,64}$', description: 'How trials name it.' }),
                folder: ruleFile('Its rules; those that count when left out.'),
                setup: ruleFile('Its crs-setup.conf; the one beside its folder when left out.'),
                plugins: ruleFile(
                  'Its plugins, such as rules of your own; those beside its folder when left out.',
                ),
                settings: ruleFile('Settings that are read before its rules.'),
              },
              { additionalProperties: false, description: 'A rule set.' },
            ),
            {
              maxItems: 16,
              description:
                'Rule sets that may be tried against stored requests before they count, besides the releases that are installed.',
            },
          ),
        ),
        geoipDatabase: Type.Optional(
          Type.String({
            minLength: 1,
            description:
              'A file in the MaxMind DB format (.mmdb) that tells that proxy in which countries addresses are; it is read anew when it changes.',
          }),
        ),
        addressListsFolder: Type.Optional(
          Type.String({
            minLength: 1,
            description:
              'Where that proxy finds lists of addresses, such as tor-nodes.txt, for ip-reputation; they are read anew when they change.',
          }),
        ),
        stolenPasswordsFile: Type.Optional(
          Type.String({
            minLength: 1,
            description:
              'Sorted SHA-1 digests of stolen passwords, as Have I Been Pwned publishes them, by which that proxy refuses log-ins; it is read anew when it changes.',
          }),
        ),
        withoutRules: Type.Union(
          [Type.Literal('refuse'), Type.Literal('basic-rules'), Type.Literal('policies-only')],
          {
            default: 'refuse',
            description:
              'What becomes of Active services while there are no rules: they are shut, or a few dozen basic rules of our own judge beside the security policies, or these alone.',
          },
        ),
        ...FirewallConfigurationSchema.properties,
      },
      {
        additionalProperties: false,
        default: {},
        description: "The firewall's management, and the proxy beside it.",
      },
    ),
    services: Type.Object(
      {
        listen: listen(8080, 8444),
        certificate,
        tls,
        serveFirewall: Type.Boolean({
          default: true,
          description:
            "Whether the firewall's management is served here as well, at /firewall; a console and a command line then need one address.",
        }),
        drainSeconds: Type.Integer({
          minimum: 0,
          maximum: 300,
          default: 0,
          description:
            'How long the server goes on serving when it is told to end, while /readyz answers 503, so that load balancers send their requests elsewhere.',
        }),
        trustedProxies: Type.Array(Type.String({ minLength: 1, examples: ['192.0.2.1'] }), {
          default: [],
          description:
            'Addresses and networks whose X-Forwarded-For is believed; loopback, linklocal and uniquelocal are names of networks.',
        }),
      },
      {
        additionalProperties: false,
        default: {},
        description: 'The listener of awareness, backup, email and the administration.',
      },
    ),
    administration: AdministrationConfigurationSchema,
    awareness: AwarenessConfigurationSchema,
    backup: BackupConfigurationSchema,
    email: EmailConfigurationSchema,
  },
  { additionalProperties: false, default: {} },
)

/** A checked configuration: every default is filled in. */
export type Configuration = Static<typeof ConfigurationSchema>
