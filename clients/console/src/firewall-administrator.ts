/** Whom operators are at the firewall's management, which takes tokens of its own administrators alone. */
export const firewallAdministrator = 'admin'
