// A thread of Node 20 cannot begin in TypeScript: from source it begins here. The build does not take this file along.
import { tsImport } from 'tsx/esm/api'

export const { audience, invoice, media, workbook, zip } = await tsImport('./thread.ts', import.meta.url)
