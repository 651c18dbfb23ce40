declare module 'tz-lookup' {
  function tzlookup(lat: number, lon: number): string
  export = tzlookup
}
