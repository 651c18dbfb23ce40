import { z } from 'zod/mini'

// A strict CSP refuses the code generation that zod would otherwise probe for, and the bundler may run schemas
// before the entry module: so the module that exports `z` also configures it.
z.config({ jitless: true })

export { z }
