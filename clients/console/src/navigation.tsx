import { Link, type LinkProps } from '@tanstack/react-router'
import { maySee } from './rights.ts'
import { texts } from './texts.ts'
import { useSession } from './use-session.ts'

/** The ways to the pages, by area. */
const areas: readonly {
  readonly title: string
  readonly links: readonly (readonly [NonNullable<LinkProps['to']>, string])[]
}[] = [
  {
    title: texts.navigation.firewall,
    links: [
      ['/firewall/services', texts.navigation.services],
      ['/firewall/log', texts.navigation.firewallLog],
      ['/firewall/protect', texts.navigation.protect],
    ],
  },
  {
    title: texts.navigation.firewallSettings,
    links: [
      ['/firewall/settings', texts.navigation.allSettings],
      ['/firewall/policies', texts.navigation.policies],
      ['/firewall/certificates', texts.navigation.certificates],
      ['/firewall/checkpoints', texts.navigation.checkpoints],
      ['/firewall/rules', texts.navigation.rules],
    ],
  },
  {
    title: texts.navigation.backup,
    links: [
      ['/backup/computers', texts.navigation.computers],
      ['/backup/tasks', texts.navigation.tasks],
      ['/backup/vault', texts.navigation.vault],
      ['/backup/accounts', texts.navigation.accounts],
    ],
  },
  {
    title: texts.navigation.email,
    links: [
      ['/email/accounts', texts.navigation.mailAccounts],
      ['/email/api-clients', texts.navigation.apiClients],
    ],
  },
  {
    title: texts.navigation.awareness,
    links: [
      ['/awareness/campaigns', texts.navigation.campaigns],
      ['/awareness/access', texts.navigation.access],
    ],
  },
  {
    title: texts.navigation.administration,
    links: [
      ['/operators', texts.navigation.people],
      ['/notifications', texts.navigation.notifications],
      ['/audit', texts.navigation.audit],
      ['/system', texts.navigation.system],
    ],
  },
]

/** The menu, with the pages that the operator may see. */
export function Navigation() {
  const session = useSession()
  const open = areas
    .map(({ title, links }) => ({ title, links: links.filter(([to]) => maySee(session, to)) }))
    .filter(({ links }) => links.length > 0)
  return (
    <nav aria-label={texts.menu}>
      <Link to="/" activeOptions={{ exact: true }}>
        {texts.navigation.overview}
      </Link>
      {open.map(({ title, links }) => (
        <section key={title} aria-label={title}>
          <h2 className="area">{title}</h2>
          {links.map(([to, label]) => (
            <Link key={to} to={to}>
              {label}
            </Link>
          ))}
        </section>
      ))}
    </nav>
  )
}
