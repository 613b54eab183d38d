import { AdministrationConfigurationSchema } from '@palisade/administration'
import { AwarenessConfigurationSchema } from '@palisade/awareness'
import { BackupConfigurationSchema } from '@palisade/backup'
import { EmailConfigurationSchema } from '@palisade/email'
import { FirewallConfigurationSchema } from '@palisade/firewall'
import { logFormats, logLevels } from '@palisade/log'
import { type Static, Type } from 'typebox'

const port = (fallback: number) => Type.Integer({ minimum: 0, maximum: 65_535, default: fallback })

/** On loopback unless configured: a fresh installation is reachable from its own machine only. */
const listen = (http: number, https: number) =>
  Type.Object(
    { host: Type.String({ minLength: 1, default: '127.0.0.1' }), http: port(http), https: port(https) },
    { additionalProperties: false, default: {} },
  )

/** PEM files to present instead of the self-signed certificate. */
const certificate = Type.Optional(
  Type.Object(
    { certificateFile: Type.String({ minLength: 1 }), keyFile: Type.String({ minLength: 1 }) },
    { additionalProperties: false },
  ),
)

/** The whole configuration file, with every default. */
export const ConfigurationSchema = Type.Object(
  {
    dataDirectory: Type.String({ minLength: 1, default: './data' }),
    /** "embedded" is SQLite in the data directory: nothing to install, and durable. */
    database: Type.String({
      pattern: '^(embedded|postgres(ql)?://.+)$',
      default: 'embedded',
      description: 'embedded, or the address of a PostgreSQL such as postgres://user:password@host/database',
    }),
    log: Type.Object(
      {
        level: Type.Union(
          logLevels.map((level) => Type.Literal(level)),
          { default: 'info' },
        ),
        /** Of lines on standard output; "auto" is text on a terminal, and JSON for everything else. */
        format: Type.Union(
          logFormats.map((format) => Type.Literal(format)),
          { default: 'auto' },
        ),
      },
      { additionalProperties: false, default: {} },
    ),
    firewall: Type.Object(
      {
        listen: listen(8000, 8443),
        certificate,
        /** Whether the server also carries the traffic of the services, by a proxy process of its own. */
        runProxy: Type.Boolean({ default: true }),
        /** Where figures of that proxy are shown to Prometheus, at `/metrics`; nowhere when absent. */
        proxyMetrics: Type.Optional(
          Type.Object(
            {
              host: Type.String({ minLength: 1, default: '127.0.0.1' }),
              port: Type.Integer({ minimum: 1, maximum: 65_535 }),
            },
            { additionalProperties: false },
          ),
        ),
        /** Where that proxy finds a Core Rule Set; the release chosen by `palisade rules use`, else Debian's, when absent. */
        ruleFolder: Type.Optional(Type.String({ minLength: 1 })),
        /** What becomes of Active services while there are no rules: they are shut, or security policies alone judge. */
        withoutRules: Type.Union([Type.Literal('refuse'), Type.Literal('policies-only')], {
          default: 'refuse',
        }),
        ...FirewallConfigurationSchema.properties,
      },
      { additionalProperties: false, default: {} },
    ),
    services: Type.Object(
      {
        listen: listen(8080, 8444),
        certificate,
        /** Nobody's X-Forwarded-For is believed unless named here. */
        trustedProxies: Type.Array(Type.String({ minLength: 1, examples: ['192.0.2.1'] }), { default: [] }),
      },
      { additionalProperties: false, default: {} },
    ),
    administration: AdministrationConfigurationSchema,
    awareness: AwarenessConfigurationSchema,
    backup: BackupConfigurationSchema,
    email: EmailConfigurationSchema,
  },
  { additionalProperties: false, default: {} },
)

export type Configuration = Static<typeof ConfigurationSchema>
