import type { Page } from 'playwright-core'
import type { Session } from '../support/product.ts'
import type { Person } from './people.ts'

/** Ids that addresses need: campaigns that run, wait, have something on every tab, are heard, and are anybody's to change. */
export type Places = {
  readonly running: string
  readonly waiting: string
  readonly rich: string
  readonly heard: string
  readonly contested: string
}

/** What a screen may need to come about beside its page. */
export type Surroundings = { readonly places: Places; readonly as: (person: Person) => Promise<Session> }

export type Screen = {
  readonly name: string
  /** Nobody in particular when empty: the signed-out. */
  readonly people: readonly Person[]
  readonly address: (places: Places) => string
  /** What has to be there, once it is prepared where it is. */
  readonly shows: string
  /** What the server does before the page is opened. */
  readonly arrange?: (page: Page) => Promise<unknown>
  /** What somebody does there before it is looked at. */
  readonly prepare?: (page: Page, surroundings: Surroundings) => Promise<void>
  /** It is looked at while it waits. */
  readonly waits?: true
  /** The application itself reports what failed to the console. */
  readonly fails?: true
}

/** Seen by going there, with nothing done first. */
export const isFirstSight = ({ arrange, prepare, waits }: Screen) =>
  arrange === undefined && prepare === undefined && waits === undefined
