import type { LinkProps } from '@tanstack/react-router'
import { texts } from './texts.ts'

/** Pages that belong together. */
export interface NavigationArea {
  readonly title: string
  readonly links: readonly (readonly [to: NonNullable<LinkProps['to']>, label: string])[]
}

/** The ways to the pages, by area. */
export const navigationAreas: readonly NavigationArea[] = [
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
