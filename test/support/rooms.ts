import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './product-process.ts'

type Configuration = { readonly include: readonly string[] }
const build = JSON.parse(readFileSync(join(root, 'tsconfig.build.json'), 'utf8')) as Configuration

/** The rooms that the server is compiled from. tsconfig.build.json is the one list of them. */
export const SERVER_ROOMS = build.include
/** Every room with TypeScript. */
export const ROOMS = [...SERVER_ROOMS, 'web', 'test', 'bench']
