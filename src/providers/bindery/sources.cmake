set(provider_sources accepted_drift.cc accepted_drift_schema.cc own_connection.cc)
