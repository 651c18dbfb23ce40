import { en } from 'zod/locales'
import { z } from '#contract/zod'

// Browsers show their own texts and omit these; the server's answers and log are in English.
z.config(en())

export { z }
