import fc from 'fast-check'

/** The gate tries the same examples in every run; a nightly run chooses others by PROPERTY_SEED. A failed property prints its seed. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env['PROPERTY_SEED'] ?? 20_260_601) })
