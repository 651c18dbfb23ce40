import type { Zone } from '#domain/kit/time-zone'
import type { Locale, WhiteLabel, WhiteLabelSettings, WhiteLabelState } from '#domain/white-label/white-label'

/** How a white-label appears outside the application: in mails and documents. */
export type Brand = {
  readonly id: string
  readonly name: string
  /** Path of the logo on every host of the product; null without one. */
  readonly logoPath: string | null
  /** Colour of buttons, #rrggbb: dark enough for text in `onPrimary`. */
  readonly primary: string
  readonly onPrimary: string
  readonly termsUrl: string | null
  readonly helpUrl: string | null
  readonly locale: Locale
  readonly zone: Zone
  /** Seconds east of UTC now. */
  readonly timezoneOffsetSeconds: number
}

export type WhiteLabels = {
  /** Null for an unknown id. */
  readonly find: (id: string) => WhiteLabel | null
  /** The white-label of a host name: that of its first label, else the default (decisions G-202). */
  readonly ofHost: (hostname: string) => WhiteLabel
  /** In order of their ids. */
  readonly all: () => readonly WhiteLabel[]
  /** The brand of a white-label; the product's own for an unknown id. */
  readonly brandOf: (id: string) => Brand
  /** Whether staff need a second factor where their white-label chose nothing, and system administrators always (fine print 95). */
  readonly secondFactorByDefault: boolean
  readonly settingsOf: (id: string) => Promise<WhiteLabelSettings>
  /** Takes over what a command of this process has stored, so that its next answer shows it. */
  readonly stored: (id: string, state: WhiteLabelState, revision: number) => void
  /** Reads the white-labels now. */
  readonly refresh: () => Promise<void>
}
