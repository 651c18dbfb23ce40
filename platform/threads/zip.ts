import { zipSync } from 'fflate'

export type Archive = {
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[]
  /** Time of the files, ISO 8601. */
  readonly at: string
}

/** The bytes of a ZIP. */
export const writeZip = ({ files, at }: Archive): Uint8Array =>
  zipSync(Object.fromEntries(files.map(({ name, bytes }) => [name, [bytes, { mtime: at }]] as const)))
