import { type Static, Type } from 'typebox'

/** What a restored disk is written as, spelled as the specification does. */
export const DiskFormat = Type.Union([Type.Literal('Vhd'), Type.Literal('Vhdx')])
export type DiskFormat = Static<typeof DiskFormat>
