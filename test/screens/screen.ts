import type { Page } from 'playwright-core'
import type { Session } from '../support/product.ts'
import type { Person } from './people.ts'

/** Ids for addresses: campaigns that are running, waiting, complete on every tab, audio, and editable. */
export type Places = {
  readonly running: string
  readonly waiting: string
  readonly rich: string
  readonly audio: string
  readonly contested: string
  /** Audiences of a file and of rules. */
  readonly audience: string
  readonly visitors: string
  /** The owner of an advertiser's account. */
  readonly accountOwner: string
}

/** Surroundings that a screen may need besides its page. */
export type Surroundings = { readonly places: Places; readonly as: (person: Person) => Promise<Session> }

export type Screen = {
  readonly name: string
  /** Empty for the signed-out visitor. */
  readonly people: readonly Person[]
  readonly address: (places: Places) => string
  /** An element that must be visible after the preparation. */
  readonly shows: string
  /** The answers of the server before the page is opened. */
  readonly arrange?: (page: Page) => Promise<unknown>
  /** Interactions before the check. */
  readonly prepare?: (page: Page, surroundings: Surroundings) => Promise<void>
  /** Checked while it loads. */
  readonly waits?: true
  /** The application itself logs the failure to the console. */
  readonly fails?: true
}

/** Reached by navigation alone. */
export const isFirstSight = ({ arrange, prepare, waits }: Screen) =>
  arrange === undefined && prepare === undefined && waits === undefined
