import { createTableReader, type TableFault } from '#commands/formats/table/reader'

/** Read at once, bytes. */
const CHUNK = 64 * 1024

export type FileTable = { readonly rows: readonly (readonly string[])[]; readonly fault: TableFault | null }

/** The first rows of a file, at most `most`, by the reader of the server. `fault` says why a file is no table. */
export async function readFileTable(file: Blob, most: number): Promise<FileTable> {
  const rows: (readonly string[])[] = []
  const table = createTableReader((record) => void (rows.length < most && rows.push(record)))
  for (let at = 0; at < file.size && rows.length < most && table.fault() === null; at += CHUNK)
    table.write(new Uint8Array(await file.slice(at, at + CHUNK).arrayBuffer()))
  if (rows.length < most) table.end()
  return { rows, fault: table.fault() }
}
