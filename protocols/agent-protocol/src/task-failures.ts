/** An agent says no more in the message of an outcome, and a server keeps no more of it. */
export const failureMessageLengthMax = 1000

/** Codes of an outcome beside those of the specification's destination table. */
export const taskFailures = {
  /** The source cannot be opened or read, or there is no such partition. */
  sourceUnreadable: 'SourceUnreadable',
  /** The destination has no room for the disk. */
  notEnoughSpace: 'NotEnoughSpace',
  /** Data came back from the vault that is not what was backed up. */
  dataDamaged: 'DataDamaged',
  /** The computer's backups are sealed with a key of its own, and the agent has none. */
  endToEndKeyMissing: 'EndToEndKeyMissing',
  /** The agent has another key than the one that the backups are sealed with. */
  endToEndKeyWrong: 'EndToEndKeyWrong',
  /** Backups that are sealed end to end would be written in the clear to a share that only the server has named. */
  endToEndShareRefused: 'EndToEndShareRefused',
  /** The finished disk did not read back as what was to be written. */
  verificationFailed: 'VerificationFailed',
  /** The host cannot be reached, or does not make the machine. */
  hostFailed: 'HostFailed',
  /** The machine is there, whole, and does not start. */
  machineNotStarted: 'MachineNotStarted',
  /** The server could not be reached for too long, or refused. */
  serverUnreachable: 'ServerUnreachable',
  /** Anything else; the agent's log says more. */
  internal: 'InternalError',
} as const
