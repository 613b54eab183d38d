/** Rules cannot be installed, listed or chosen; the message says why and what to do. */
export class RuleFailure extends Error {}
