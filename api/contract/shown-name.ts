import { SENTENCES } from '#domain/kit/faults'
import { isShownName } from '#domain/kit/validators'
import { z } from './zod.ts'

/** A name that others see, of so many characters: nothing in it hides or reorders the text around it. */
export const shownName = (most = 100, least = 1) =>
  z.string().check(z.trim(), z.minLength(least), z.maxLength(most), z.refine(isShownName, SENTENCES.shownName))
