/** What a text has to look like, for the machine and for the person whose text was refused. */
export interface Pattern {
  readonly expression: RegExp
  /** Continues "must be text …". */
  readonly meaning: string
}

/** How objects are named unless their kind says otherwise. */
export const objectName: Pattern = {
  expression: /^[a-zA-Z][a-zA-Z0-9._-]*$/,
  meaning: 'that starts with a letter and continues with letters, digits, ".", "_" and "-"',
}

export const applicationId: Pattern = {
  expression: /^[\p{L}\p{N}*._-]*$/u,
  meaning: 'of letters, digits, "*", ".", "_" and "-"',
}

/** Names of request parameters separated by commas; "*" stands for every parameter. */
export const parameterNames: Pattern = {
  expression: /^[\p{L}_$*][\p{L}\p{N}_\-.:,$@#*[\]%\s]*$/u,
  meaning:
    'that names parameters, separated by commas, starting with a letter, "_", "$" or "*" and continuing with letters, digits and any of "_-.:,$@#*[]%"',
}
