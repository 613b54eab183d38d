import type { FactoryObject } from '../../../kinds/kind.ts'
import { type RoleOperation, roleOperations } from './operations.ts'

/** What a factory role may do; what is left out it may not. */
interface Permissions {
  /** The parts of the API that it may read, and those that it may also change, with what lies inside them. */
  readonly objects: { readonly read?: readonly string[]; readonly write?: readonly string[] }
  readonly operations?: readonly RoleOperation[]
  readonly authenticationServices?: Extent
  readonly securityPolicies?: Extent
  readonly serviceGroups?: Extent
  readonly services?: Extent
  readonly vsites?: Extent
}

/** Which of a kind's objects a permission extends to. */
type Extent = '_ALL_:read' | '_ALL_:write'

function role(name: string, permissions: Permissions): FactoryObject {
  const { objects, operations = [] } = permissions
  const list = (extent: Extent | undefined) => (extent ? [extent] : [])
  return {
    path: [name],
    fields: {
      'role-type': 'Factory',
      'api-privilege': 'Yes',
      objects: [
        ...(objects.read ?? []).map((part) => `${part}:read`),
        ...(objects.write ?? []).map((part) => `${part}:write`),
      ],
      operations,
      'authentication-services': list(permissions.authenticationServices),
      'security-policies': list(permissions.securityPolicies),
      'service-groups': list(permissions.serviceGroups),
      services: list(permissions.services),
      vsites: list(permissions.vsites),
    },
  }
}

/** The objects of every kind, to one extent. */
function everywhere(extent: Extent) {
  return {
    authenticationServices: extent,
    securityPolicies: extent,
    serviceGroups: extent,
    services: extent,
    vsites: extent,
  }
}

const admin = role('admin', {
  objects: { write: ['_ALL_'] },
  operations: roleOperations,
  ...everywhere('_ALL_:write'),
})

const guest = role('guest', { objects: { read: ['_ALL_'] }, ...everywhere('_ALL_:read') })

/** Reads who did what, and how logs are kept; changes nothing of that. */
const auditManager = role('audit-manager', {
  objects: {
    read: [
      'admin-ip-range',
      'module-log-levels',
      'syslog-servers',
      'system/export-log-filters',
      'system/export-log-settings',
      'system/ftp-access-logs',
      'system/logs-format',
      'system/syslog-settings',
    ],
    write: ['reports'],
  },
  operations: ['execute-reports', 'export-to-CSV-audit', 'view-audit-logs'],
})

/** Keeps certificates; which service uses which is a matter of the service manager. */
const certificateManager = role('certificate-manager', {
  objects: {
    read: ['services'],
    write: [
      'client-certificate-crls',
      'self-signed-certificate',
      'signed-certificate',
      'trusted-ca-certificate',
      'trusted-server-certificate',
    ],
  },
  operations: ['certificate-management'],
  // Revocation lists lie inside services; the services themselves are only read, as objects says.
  services: '_ALL_:write',
})

/** Watches, and sets up what reports to others. */
const monitoringManager = role('monitoring-manager', {
  objects: {
    read: ['service-groups', 'services', 'vsites'],
    write: [
      'module-log-levels',
      'reports',
      'syslog-servers',
      'system/email-notifications',
      'system/export-log-filters',
      'system/export-log-settings',
      'system/ftp-access-logs',
      'system/logs-format',
      'system/snmp',
      'system/syslog-settings',
      'trap-receivers',
    ],
  },
  operations: [
    'configure-email-notifications',
    'configure-export-logs',
    'configure-notifications',
    'configure-snmp',
    'configure-syslog',
    'execute-reports',
    'export-to-CSV-access',
    'export-to-CSV-firewall',
    'get-logs',
    'monitor-syslog',
    'schedule-reports',
    'slack-notification',
    'view-aps-logs',
    'view-traffic-logs',
  ],
  serviceGroups: '_ALL_:read',
  services: '_ALL_:read',
  vsites: '_ALL_:read',
})

/** Connects the system with its networks. Captures of traffic are left to admin: they show what users send. */
const networkManager = role('network-manager', {
  objects: {
    read: ['vsites'],
    write: [
      'auto-system-acls',
      'bonds',
      'destination-nats',
      'interface-routes',
      'local-hosts',
      'network-acls',
      'network-interfaces',
      'source-nats',
      'static-routes',
      'system/dns',
      'system/lan-configuration',
      'system/management-configuration',
      'system/network-configuration',
      'system/proxy-server',
      'system/wan-configuration',
      'virtual-interfaces',
      'vlans',
    ],
  },
  operations: [
    'advanced-network-configuration',
    'configure-multiple-ip-address',
    'configure-nat',
    'configure-network-acls',
    'configure-route',
    'configure-vlan',
    'dig',
    'dns-configuration',
    'lan-ip-configuration',
    'management-ip-configuration',
    'ping',
    'proxy-server-configuration',
    'show-arp',
    'show-route',
    'telnet',
    'traceroute',
    'wan-ip-configuration',
  ],
  vsites: '_ALL_:read',
})

/** Says what is an attack and what becomes of it; which service follows which policy, others say. */
const policyManager = role('policy-manager', {
  objects: {
    read: ['services', 'trusted-ca-certificate', 'trusted-server-certificate'],
    write: [
      'attack-types',
      'custom-ip-blocklist',
      'custom-parameter-classes',
      'geo-pools',
      'identity-types',
      'input-types',
      'json-security-policies',
      'rate-control-pools',
      'response-pages',
      'security-policies',
      'session-identifiers',
      'system/pattern-mode',
      'trusted-host-groups',
      'web-scraping-policies',
      'whitelisted-bots',
    ],
  },
  operations: [
    'apply-fix-exception',
    'apply-fix-policy-wizard',
    'libraries',
    'trusted-hosts',
    'view-traffic-logs',
    'web-scraping-whitelist',
  ],
  securityPolicies: '_ALL_:write',
  services: '_ALL_:read',
})

/** Publishes applications, with policies and certificates that others keep. */
const serviceManager = role('service-manager', {
  objects: {
    read: [
      'attack-types',
      'bot-spam-types',
      'credential-servers',
      'custom-parameter-classes',
      'geo-pools',
      'json-security-policies',
      'jwt-validator-endpoints',
      'rate-control-pools',
      'response-pages',
      'security-policies',
      'self-signed-certificate',
      'session-identifiers',
      'signed-certificate',
      'trusted-ca-certificate',
      'trusted-host-groups',
      'trusted-server-certificate',
      'vsites',
      'web-scraping-policies',
    ],
    write: ['service-groups', 'services'],
  },
  operations: ['adaptive-profile-config', 'view-traffic-logs', 'xml-protection'],
  authenticationServices: '_ALL_:read',
  securityPolicies: '_ALL_:read',
  serviceGroups: '_ALL_:write',
  services: '_ALL_:write',
  // Groups lie inside vsites; the vsites themselves are only read, as objects says.
  vsites: '_ALL_:write',
})

/** The roles of a fresh installation. Each may use the API; none but admin may do everything. */
export const factoryRoles: readonly FactoryObject[] = [
  admin,
  auditManager,
  certificateManager,
  guest,
  monitoringManager,
  networkManager,
  policyManager,
  serviceManager,
]
