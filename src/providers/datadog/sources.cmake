set(provider_sources
  api_call.cc audit_log.cc checks.cc credentials.cc current_user.cc current_user_client.cc current_user_schema.cc
  dataset.cc dataset_checks.cc dataset_client.cc dataset_schema.cc
  error_dialect.cc list_pages.cc listed_policy.cc
  logs_restriction_query.cc logs_restriction_query_checks.cc logs_restriction_query_client.cc
  logs_restriction_query_schema.cc principal_client.cc principal_lookup.cc principal_lookup_schema.cc principals.cc provider.cc rate_limit.cc recent_ids.cc restriction_policy.cc restriction_policy_client.cc
  restriction_policy_schema.cc settings.cc severities.cc)
