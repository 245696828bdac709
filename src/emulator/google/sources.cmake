set(api_sources
  accounts.cc api.cc asset_search.cc condition.cc containers.cc containers_seed.cc document.cc error.cc etag.cc field_mask.cc iam_policy.cc iam_resources.cc
  iam_route.cc impersonation_api.cc issued_tokens.cc jwt.cc members.cc metadata_api.cc page.cc policy_reader.cc
  policy_rules.cc privileged_access.cc privileged_access_api.cc privileged_access_seed.cc
  projects.cc proto_reader.cc request_body.cc request_query.cc resource_manager_api.cc resource_name.cc response_shape.cc
  service_habits.cc token_api.cc unknown_path.cc)
