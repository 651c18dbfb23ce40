import { UAParser } from 'ua-parser-js'
import type { Device } from '#commands/events/events-port'
import { beginning } from '#domain/kit/text'

/** Device kinds of reports: 2 desktop, 3 mobile, 5 android, 8 desktop others, 9 mobile others. */
const DESKTOP = ['Windows', 'Mac OS', 'Linux', 'Ubuntu', 'Debian', 'Fedora', 'Chromium OS']

/** The device that a User-Agent names. The model is that of the maker, or the system where browsers hide it. */
export function deviceOf(userAgent: string | undefined): Device {
  const { device, os } = new UAParser(userAgent ?? '').getResult()
  const system = os.name ?? ''
  // Chrome on Android reports every model as K.
  const model = device.model === undefined || device.model === 'K' ? system : withVendor(device.vendor, device.model)
  return {
    model: model === '' ? null : beginning(model, 100),
    typeKey: typeKeyOf(system, device.type),
    os: beginning(system, 100),
  }
}

const withVendor = (vendor: string | undefined, model: string): string =>
  vendor === undefined || vendor === 'Apple' || model.startsWith(vendor) ? model : `${vendor} ${model}`

function typeKeyOf(system: string, type: string | undefined): number {
  if (system === 'Android') return 5
  if (system === 'iOS') return 3
  if (type === 'mobile' || type === 'tablet') return 9
  return system === '' || DESKTOP.includes(system) ? 2 : 8
}
