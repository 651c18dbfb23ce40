import { lookUp } from '@/i18n/look-up'

/** The name of an author in the user's language. Authors that are not users have a translated name. */
export const authorOf = (actor: string): string => lookUp(`delivery:author.${actor}`) ?? actor
