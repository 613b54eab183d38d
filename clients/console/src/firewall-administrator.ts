/** The firewall's administrator as whom operators call its management, which takes tokens of its own administrators alone. */
export const firewallAdministrator = 'admin'
