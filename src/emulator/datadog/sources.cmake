set(api_sources
  api.cc current_user.cc datasets.cc datasets_api.cc list.cc listed_entries.cc principals.cc restriction_queries.cc
  restriction_queries_api.cc restriction_rules.cc)
