import { createQuestion } from '@/lib/question'

/** Asks the user why they act in an account (fine print 91); null once they gave up. */
export const switchReason = createQuestion<true, string | null>()
