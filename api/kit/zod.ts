import { en } from 'zod/locales'
import { z } from '../contract/zod.ts'

// Browsers say what is wrong in words of their own and go without these; the server's answers and its log speak English.
z.config(en())

export { z }
