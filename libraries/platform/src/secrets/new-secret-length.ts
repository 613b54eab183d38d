/**
 * How many characters a password, or another secret that opens something, has at least where a configuration gives it: as many as the
 * firewall's password policy asks of its administrators unless it is changed.
 */
export const newSecretLengthMin = 8
